"""Values of every metric of judged summaries and answers by run and stratum: the rollup of retrieval metrics over them.

An item is a judged text. Its cluster is what it shares with others: the source of a summary, whose themes do not count
as independent, or the question of an answer with all its phrasings.
"""

from __future__ import annotations

from finrag.metrics.items import read_items
from finrag.metrics.registry import read_metrics
from finrag.metrics.rollup import RUN, Stratum, read_strata, roll_up, rollup_versions, to_table
from finrag.threads import one_blas_thread


def roll_up_judged(*, runs, items, strata, registry, items_name: str, done: set[tuple[str, str]]):
    """Arrow table of the values of the current runs, without those that done holds as (run_id, rollup_version).

    runs: relation of int_judged_runs. items: relation of the items model items_name, with run_id, suite, item_id,
    cluster_id, is_covered, is_error, metrics_version and the columns of its metrics. strata: relation of
    int_judged_strata. registry: relation of the seed metrics. The columns are those of int_anchor_metric_values;
    gold_predicate is faithful_to_ and the basis.
    """
    metrics = read_metrics(registry, items_name, [])
    versions = rollup_versions(runs=runs, items=items, strata=strata, metrics=metrics)
    rows: list[tuple] = []
    strata_of: dict[str, list[Stratum]] = {}
    with one_blas_thread():
        for *head, basis in runs.project(f"{', '.join(RUN)}, basis").order("suite, run_id").fetchall():
            run_id, suite = head[:2]
            if run_id not in versions or (run_id, versions[run_id]) in done:
                continue
            if suite not in strata_of:
                strata_of[suite] = read_strata(strata.filter(f"suite = '{suite}'"))
            of_run = items.filter(f"run_id = '{run_id}'")
            for variant in read_items(of_run, metrics, variant=(), item_id="item_id"):
                present = set(variant.ids)
                mine = [stratum for stratum in strata_of[suite] if stratum.ids & present]
                for values in roll_up(variant, metrics, mine):
                    rows.append((*head, "none", f"faithful_to_{basis}", *values, versions[run_id]))
    return to_table(rows)
