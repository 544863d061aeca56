"""Values of the metrics of closed questions, statements and choices, by run and stratum.

Items of one source resemble each other, so sources are the clusters. Questions of a source and those of a summary are
never in one value: they have metrics of their own, told apart by their names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from finrag.metrics.classification import count, intervals, measures
from finrag.metrics.estimates import resampled_estimate
from finrag.metrics.items import Items, read_items
from finrag.metrics.registry import Metric, read_metrics
from finrag.metrics.rollup import RUN, Stratum, roll_up, rollup_versions, to_table
from finrag.statistics.bootstrap import seed_of
from finrag.threads import one_blas_thread

# stratum_by and the column of the items that holds the stratum.
STRATA = {"length": "length_stratum"}


@dataclass(frozen=True)
class Family:
    """Metrics over the items of one table that come from one side: names begin with the prefix."""

    items: str
    origin: str
    prefix: str
    gold: str  # in the column gold_predicate of metric_values


FAMILIES = (
    Family("qag_items", "source", "qag_inclusion", "closed_question"),
    Family("qag_items", "summary", "qag_alignment", "closed_question"),
    Family("statement_items", "source", "statement_", "statement"),
    Family("statement_items", "summary", "summary_statement_", "statement"),
    Family("choice_items", "source", "choice_", "choice"),
)


def roll_up_quizzes(*, runs, items: dict, registry, done: set[tuple[str, str]]):
    """Arrow table of the values of the current runs, without those that done holds as (run_id, rollup_version).

    runs: relation of int_quiz_runs. items: relations of the items tables by name. registry: the seed metrics. The
    columns are those of int_anchor_metric_values.
    """
    metrics = {name: read_metrics(registry, name, []) for name in items}
    heads = {row[0]: row for row in runs.project(", ".join(RUN)).fetchall()}
    rows: list[tuple] = []
    with one_blas_thread():
        for name, relation in items.items():
            strata = strata_relation(relation)
            versions = rollup_versions(relation, relation, strata, metrics[name])
            for run_id in sorted(set(versions) & set(heads)):
                if (run_id, versions[run_id]) in done:
                    continue
                of_run = relation.filter(f"run_id = '{run_id}'")
                for family in (family for family in FAMILIES if family.items == name):
                    of_family = [metric for metric in metrics[name] if metric.name.startswith(family.prefix)]
                    for values in family_values(of_run.filter(f"origin = '{family.origin}'"), of_family):
                        rows.append((*heads[run_id], "none", family.gold, *values, versions[run_id]))
    return to_table(rows)


def strata_relation(items):
    """int_query_strata of the items, which rollup_versions hashes: suite, query_id, stratum_by, stratum."""
    return items.project("suite, item_id as query_id, 'length' as stratum_by, length_stratum as stratum")


def family_values(items, metrics: Sequence[Metric]) -> Iterator[tuple]:
    """The values of one run and family, see roll_up; none without items."""
    plain = [metric for metric in metrics if metric.kind != "ratio"]
    ratios = [metric for metric in metrics if metric.kind == "ratio"]
    strata = read_item_strata(items)
    for read in read_items(items, plain, variant=(), item_id="item_id", cluster="source_id"):
        yield from roll_up(read, plain, strata)
        if ratios:
            judged = items.filter("not is_error").project("item_id, key, verdict").fetchall()
            verdicts = {item_id: (key, verdict) for item_id, key, verdict in judged}
            yield from ratio_values(read, verdicts, ratios, strata)


def read_item_strata(items) -> list[Stratum]:
    rows = items.project(", ".join(["item_id", *STRATA.values()])).order("item_id").fetchall()
    ids: dict[tuple[str, str], list[str]] = {}
    for item_id, *names in rows:
        ids.setdefault(("overall", "all"), []).append(item_id)
        for stratum_by, name in zip(STRATA, names, strict=True):
            ids.setdefault((stratum_by, name), []).append(item_id)
    return [Stratum(*key, frozenset(members)) for key, members in sorted(ids.items())]


def ratio_values(
    items: Items, verdicts: dict[str, tuple[str, str]], metrics: Sequence[Metric], strata: Sequence[Stratum]
) -> Iterator[tuple]:
    """The same tuples as roll_up for measures of the counts of keys and verdicts."""
    import numpy as np

    for stratum in strata:
        members = np.array([item_id in stratum.ids for item_id in items.ids], bool)
        measured = members & ~items.is_error
        pairs = [verdicts[item_id] for item_id in items.ids[measured]]
        _, clusters = np.unique(items.clusters[measured], return_inverse=True)
        counts = count([key for key, _ in pairs], [verdict for _, verdict in pairs], clusters)
        values = measures(counts.sum(0)) if len(counts) else {}
        bounds = intervals(counts, seed_of(stratum.stratum_by, stratum.name))
        totals = (int(members.sum()), int(members.sum()), int((members & items.is_error).sum()))
        for metric in metrics:
            names = ("all", stratum.stratum_by, stratum.name, metric.name, metric.k)
            value = float(values.get(metric.column, np.nan))
            estimate = resampled_estimate(metric, value, *bounds[metric.column], len(pairs), len(counts))
            yield (*names, *totals, *estimate)
