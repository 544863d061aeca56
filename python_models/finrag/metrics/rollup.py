"""Values of every metric by run, gold variant, population and stratum, with their intervals.

Two populations: covered, the items that have gold, and all, in which items without gold score what the items model
gives them (0). Items with an error are in no value, they are counted in n_error; those without a value are in none
either.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from finrag.metrics.estimates import Estimate, mean_estimates, resampled_estimate
from finrag.metrics.items import Items, read_items
from finrag.metrics.registry import Metric, code_checksum, read_metrics
from finrag.statistics.bootstrap import percentile_intervals, pooled_percentile, seed_of
from finrag.threads import one_blas_thread

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    import pyarrow

RUN = ("run_id", "suite", "regime", "strategy", "embedding_model")
VARIANT = ("gold_window", "gold_predicate")
TEXT = (*RUN, *VARIANT, "population", "stratum_by", "stratum", "metric", "ci_method", "rollup_version")
COUNTS = ("n_total", "n_covered", "n_error", "n_measured", "n_clusters")
NUMBERS = (
    "value", "ci_low", "ci_high", "n_eff", "deff", "minimum_detectable_effect",
    "corpus_value", "corpus_ci_low", "corpus_ci_high", "value_best", "value_worst",
)  # fmt: skip
# What roll_up gives for each value.
COLUMNS = ("population", "stratum_by", "stratum", "metric", "k", "n_total", "n_covered", "n_error", *Estimate._fields)
# What an item of retrieval depends on, and how likely it was drawn.
DEPENDENCE = {
    **{"cluster": "cluster_id", "second_cluster": "second_cluster_id"},
    **{"part": "filing_id", "weight": "sampling_weight"},
}


@dataclass(frozen=True)
class Stratum:
    """Items that are reported together."""

    stratum_by: str
    name: str
    ids: frozenset[str]


def roll_up_runs(session, *, runs, items, strata, registry, cutoffs: list[int], done: set[tuple[str, str]]):
    """Arrow table of the values of the current runs, without those that done holds as (run_id, rollup_version).

    session: DuckDB connection. runs, items, strata, registry: relations of the runs, their items, the
    strata of their queries, and the seed metrics.
    """
    metrics = read_metrics(registry, "retrieval_items", cutoffs)
    columns = (*RUN, "method", "is_external")
    rows: list[tuple] = []
    strata_of: dict[str, list[Stratum]] = {}
    versions = rollup_versions(runs, items, strata, metrics)
    with one_blas_thread():
        for values in runs.filter("is_current").project(", ".join(columns)).order("suite, run_id").fetchall():
            run = dict(zip(columns, values, strict=True))
            run_id, suite = run["run_id"], run["suite"]
            if run_id not in versions or (run_id, versions[run_id]) in done:
                continue
            if suite not in strata_of:
                strata_of[suite] = read_strata(strata.filter(f"suite = '{suite}'"))
            applicable = [metric for metric in metrics if metric.applies(run)]
            head = tuple(run[name] for name in RUN)
            of_run = items.filter(f"run_id = '{run_id}'")
            for variant in read_items(of_run, applicable, variant=VARIANT, item_id="query_id", **DEPENDENCE):
                for values in roll_up(variant, applicable, strata_of[suite]):
                    rows.append((*head, *variant.variant, *values, versions[run_id]))
    return to_table(rows)


def rollup_versions(runs, items, strata, metrics: Sequence[Metric]) -> dict[str, str]:
    """By run_id, a checksum of all that decides a run's values: its items, the strata, the registry and this code."""
    strata_content = dict(
        strata.aggregate(
            "suite, bit_xor(hash(query_id, stratum_by, stratum))::varchar || '-' || count(*)", "suite"
        ).fetchall()
    )
    per_run = items.aggregate("run_id, suite, max(metrics_version)", "run_id, suite").fetchall()
    code = (metrics, code_checksum())
    return {
        run_id: hashlib.md5(
            repr((items_version, strata_content.get(suite), code)).encode(), usedforsecurity=False
        ).hexdigest()
        for run_id, suite, items_version in per_run
    }


def read_strata(relation) -> list[Stratum]:
    """Strata of one suite, in order of their names. relation: int_query_strata of it."""
    ids: dict[tuple[str, str], list[str]] = {}
    for stratum_by, stratum, query_id in relation.project("stratum_by, stratum, query_id").order("all").fetchall():
        ids.setdefault((stratum_by, stratum), []).append(query_id)
    return [Stratum(*names, frozenset(members)) for names, members in ids.items()]


def roll_up(items: Items, metrics: Sequence[Metric], strata: Sequence[Stratum]) -> Iterator[tuple]:
    """COLUMNS for every metric.

    A stratum without items of the population has its row, with n_measured 0 and a null value.
    """
    import numpy as np

    single = [metric for metric in metrics if metric.kind != "percentile"]
    pooled = [metric for metric in metrics if metric.kind == "percentile"]
    place = {item_id: number for number, item_id in enumerate(items.ids)}
    for stratum in strata:
        members = np.zeros(len(items), bool)
        members[[place[item_id] for item_id in stratum.ids if item_id in place]] = True
        seed = seed_of(stratum.stratum_by, stratum.name)
        covered = members & items.is_covered
        totals = (int(members.sum()), int(covered.sum()))
        estimates_of: dict[int, dict[Metric, Estimate]] = {}
        for population, chosen in (("covered", covered), ("all", members)):
            size = int(chosen.sum())
            # where every item is covered the two populations are the same
            if size not in estimates_of:
                estimates_of[size] = population_estimates(items, chosen, single, seed)
            estimates = estimates_of[size] | pooled_estimates(
                items, chosen, [m for m in pooled if population in m.populations], seed
            )
            n_error = int(items.is_error[chosen].sum())
            for metric in metrics:
                if population in metric.populations:
                    names = (population, stratum.stratum_by, stratum.name, metric.name, metric.k)
                    yield (*names, *totals, n_error, *estimates[metric])


def population_estimates(
    items: Items, chosen: np.ndarray, metrics: Sequence[Metric], seed: int
) -> dict[Metric, Estimate]:
    """Every metric over the chosen items. metrics: those of items.values, in order of its columns."""
    weights = None if items.weights is None else items.weights[chosen]
    trials = None if items.trials is None else items.trials[chosen]
    bounds = None if items.bounds is None else items.bounds[chosen]
    estimates = mean_estimates(items.values[chosen], items.ways(chosen), weights, metrics, seed, trials, bounds)
    return dict(zip(metrics, estimates, strict=True))


def pooled_estimates(items: Items, chosen: np.ndarray, metrics: Sequence[Metric], seed: int) -> dict[Metric, Estimate]:
    """The same for percentiles, all of one column at a time."""
    import numpy as np

    results: dict[Metric, Estimate] = {}
    for column in dict.fromkeys(metric.column for metric in metrics):
        of_column = [metric for metric in metrics if metric.column == column]
        shares = [metric.share for metric in of_column]
        values, owners = items.pools[column].of(chosen)
        of_items = np.zeros(len(items), int)
        of_items[chosen] = items.ways(chosen)[0]
        clusters, n_clusters = renumbered(of_items[owners])
        low, high = percentile_intervals(values, clusters, n_clusters, shares, seed)
        n_measured = int((np.bincount(owners) > 0).sum())
        for number, metric in enumerate(of_column):
            value = float(pooled_percentile(values, metric.share)) if len(values) else np.nan
            bounds = (float(low[number]), float(high[number]))
            results[metric] = resampled_estimate(metric, value, *bounds, n_measured, n_clusters)
    return results


def renumbered(clusters: np.ndarray) -> tuple[np.ndarray, int]:
    """The clusters that occur, numbered from 0 in their order, and how many there are."""
    import numpy as np

    if not len(clusters):
        return clusters, 0
    occurs = np.bincount(clusters) > 0
    return (np.cumsum(occurs) - 1)[clusters], int(occurs.sum())


def to_table(rows: list[tuple]) -> pyarrow.Table:
    """The columns of int_anchor_metric_values; nan becomes null."""
    import numpy as np
    import pyarrow

    names = (*RUN, *VARIANT, *COLUMNS, "rollup_version")
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(names)
    arrays = []
    for name, column in zip(names, columns, strict=True):
        if name in TEXT:
            arrays.append(pyarrow.array(column, pyarrow.string()))
        elif name in NUMBERS:
            arrays.append(pyarrow.array(np.array(column, float), pyarrow.float64(), from_pandas=True))
        elif name == "is_interval_reliable":
            arrays.append(pyarrow.array(column, pyarrow.bool_()))
        else:
            arrays.append(pyarrow.array(column, pyarrow.int32() if name == "k" else pyarrow.int64()))
    return pyarrow.table(arrays, names=names)
