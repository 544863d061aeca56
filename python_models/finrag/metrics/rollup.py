"""Values of every metric of every task by run, variant, population and stratum, with their intervals.

Two populations: covered, the items that have gold, and all, in which items without gold score what the items model
gives them (0). Items with an error are in no value, they are counted in n_error; those without a value are in none
either.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from finrag.metrics.classification import count, intervals, measures, sizes
from finrag.metrics.estimates import Estimate, mean_estimates, resampled_estimate
from finrag.metrics.items import TASKS, Items, read_items
from finrag.metrics.registry import Metric, code_checksum
from finrag.statistics.bootstrap import percentile_intervals, pooled_percentile, seed_of
from finrag.statistics.clustered import cluster_ways, clustered_means
from finrag.statistics.reliability import is_wilson_reliable
from finrag.tables import table_of
from finrag.threads import one_blas_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy as np

RUN = ("run_id", "suite", "regime", "strategy", "embedding_model")
VARIANT = ("gold_window", "variant")
TEXT = (*RUN, *VARIANT, "population", "stratum_by", "stratum", "metric", "ci_method", "rollup_version")
NUMBERS = (
    "value", "ci_low", "ci_high", "n_eff", "deff", "minimum_detectable_effect",
    "corpus_value", "corpus_ci_low", "corpus_ci_high", "value_best", "value_worst",
)  # fmt: skip
# What roll_up gives for each value.
COLUMNS = ("population", "stratum_by", "stratum", "metric", "k", "n_total", "n_covered", "n_error", *Estimate._fields)


@dataclass(frozen=True)
class Stratum:
    """Items that are reported together."""

    stratum_by: str
    name: str
    ids: frozenset[str]


def roll_up_runs(items_name: str, metrics: Sequence[Metric], *, runs, items, strata, done: set[tuple[str, str]]):
    """Arrow table of the values of the runs, without those that done holds as (run_id, rollup_version).

    items_name: a key of TASKS. runs, items, strata: relations of the runs, their items, and the strata of those.
    """
    task = TASKS[items_name]

    def values_of(run: dict, strata_of: list[Stratum]) -> Iterator[tuple]:
        applicable = [metric for metric in metrics if metric.applies(run)]
        for part in read_items(items.filter(f"run_id = '{run['run_id']}'"), applicable, task):
            yield from ((*part.variant, *values) for values in roll_up(part, strata_of))

    return table_of_runs(runs, strata, rollup_versions(items, strata, (metrics, task)), done, values_of)


def table_of_runs(runs, strata, versions: dict[str, str], done: set[tuple[str, str]], values_of: Callable):
    """The columns of int_anchor_metric_values, of runs with a version that is not done.

    values_of: of a run, as a dict, and the strata of its suite, what stands between its names and its version.
    """
    rows: list[tuple] = []
    strata_of: dict[str, list[Stratum]] = {}
    with one_blas_thread():
        for row in runs.order("suite, run_id").fetchall():
            run = dict(zip(runs.columns, row, strict=True))
            run_id, suite = run["run_id"], run["suite"]
            if run_id not in versions or (run_id, versions[run_id]) in done:
                continue
            if suite not in strata_of:
                strata_of[suite] = read_strata(strata.filter(f"suite = '{suite}'"))
            head = tuple(run[name] for name in RUN)
            rows += [(*head, *values, versions[run_id]) for values in values_of(run, strata_of[suite])]
    names = (*RUN, *VARIANT, *COLUMNS, "rollup_version")
    return table_of(names, rows, TEXT, NUMBERS, flags=("is_interval_reliable",))


def rollup_versions(items, strata, decided_by: object) -> dict[str, str]:
    """By run_id, a checksum of all that decides a run's values: its items, the strata, what is given and this code."""
    of_suite = "suite, bit_xor(hash(query_id, stratum_by, stratum))::varchar || '-' || count(*)"
    strata_content = dict(strata.aggregate(of_suite, "suite").fetchall())
    code = (decided_by, code_checksum())
    return {
        run_id: checksum(items_version, strata_content.get(suite), code)
        for run_id, suite, items_version in items.aggregate(
            "run_id, suite, max(metrics_version)", "run_id, suite"
        ).fetchall()
    }


def checksum(*decided_by: object) -> str:
    return hashlib.md5(repr(decided_by).encode(), usedforsecurity=False).hexdigest()


def done_before(dbt, session, *columns: str) -> set[tuple]:
    """What an incremental model holds of these columns; nothing on its first build."""
    if not dbt.is_incremental:
        return set()
    return set(session.execute(f"select distinct {', '.join(columns)} from {dbt.this}").fetchall())


def strata_of_items(items, **groups: str):
    """Strata of items that no model has strata of: all, and one more for each group, a column of the items by name."""
    levels = [f"{{'stratum_by': '{name}', 'stratum': {column}}}" for name, column in groups.items()]
    every = ", ".join(["{'stratum_by': 'overall', 'stratum': 'all'}", *levels])
    unnested = items.project(f"suite, item_id as query_id, unnest([{every}]) as level")
    return unnested.project("suite, query_id, level.stratum_by, level.stratum").distinct()


def by_dataset(relation):
    """Runs, items or strata of data sets as those of suites: their data set stands in the place of the suite, which is
    what strata are of."""
    has_suite = "suite" in relation.columns
    named = "if(suite = 'none', dataset, suite)" if has_suite else "dataset"
    others = ", ".join(f'"{name}"' for name in relation.columns if name not in ("suite", "dataset"))
    return relation.project(f"{named} as suite, {others}")


def read_strata(relation) -> list[Stratum]:
    """Strata of one suite, in order of their names. relation: int_query_strata of it."""
    ids: dict[tuple[str, str], list[str]] = {}
    for stratum_by, stratum, query_id in relation.project("stratum_by, stratum, query_id").order("all").fetchall():
        ids.setdefault((stratum_by, stratum), []).append(query_id)
    return [Stratum(*names, frozenset(members)) for names, members in ids.items()]


def roll_up(items: Items, strata: Sequence[Stratum]) -> Iterator[tuple]:
    """COLUMNS of every metric of the items, in every stratum that has one of them.

    A stratum without items of the population has its row, with n_measured 0 and a null value.
    """
    import numpy as np

    single = [metric for metric in items.metrics if metric.is_per_item]
    pooled = [metric for metric in items.metrics if metric.kind == "percentile"]
    ratios = [metric for metric in items.metrics if metric.kind == "ratio"]
    names, numbers = np.unique(items.ids.astype(str), return_inverse=True)
    place = {name: number for number, name in enumerate(names.tolist())}
    for stratum in strata:
        is_member = np.zeros(len(place), bool)
        is_member[[place[item_id] for item_id in stratum.ids if item_id in place]] = True
        members = is_member[numbers]
        if not members.any():
            continue
        seed = seed_of(stratum.stratum_by, stratum.name)
        covered = members & items.is_covered
        totals = (int(members.sum()), int(covered.sum()))
        estimates_of: dict[int, dict[Metric, Estimate]] = {}
        for population, chosen in (("covered", covered), ("all", members)):
            size = int(chosen.sum())
            # where every item is covered the two populations are the same
            if size not in estimates_of:
                estimates_of[size] = population_estimates(items, chosen, single, seed)
            estimates = (
                estimates_of[size]
                | pooled_estimates(items, chosen, [m for m in pooled if population in m.populations], seed)
                | ratio_estimates(items, chosen, [m for m in ratios if population in m.populations], seed)
            )
            n_error = int(items.is_error[chosen].sum())
            for metric in items.metrics:
                if population in metric.populations:
                    named = (population, stratum.stratum_by, stratum.name, metric.name, metric.k)
                    yield (*named, *totals, n_error, *estimates[metric])


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
    """The same for percentiles, all of one column at a time.

    Of two ways to cluster, the wider interval is taken, and it is reliable where both are: that of few clusters is too
    narrow by chance in many sets.
    """
    import numpy as np

    results: dict[Metric, Estimate] = {}
    for column in dict.fromkeys(metric.column for metric in metrics):
        of_column = [metric for metric in metrics if metric.column == column]
        values, owners = items.pools[column].of(chosen)
        owners = (np.cumsum(chosen) - 1)[owners]
        ways = items.ways(chosen)
        crossing = crossing_of(values, owners, ways)
        by_way = [percentile_estimates(values, owners, way, crossing, of_column, seed) for way in ways]
        results |= {
            metric: max(estimates, key=lambda each: each.ci_high - each.ci_low)._replace(
                is_interval_reliable=all(each.is_interval_reliable for each in estimates)
            )
            for metric, *estimates in zip(of_column, *by_way, strict=True)
        }
    return results


def percentile_estimates(
    values: np.ndarray, owners: np.ndarray, way: np.ndarray, crossing: float, metrics: Sequence[Metric], seed: int
) -> list[Estimate]:
    """Of pooled values (sorted), the items of which (owners, numbers in the order of the way) are clustered one way."""
    import numpy as np

    clusters, n_clusters = renumbered(way[owners])
    bounds = percentile_intervals(values, clusters, n_clusters, [metric.share for metric in metrics], seed)
    n_measured = len(np.unique(owners))
    # a percentile is known as well as the share of values that lie below it
    is_below = np.arange(len(values))[:, None] < len(values) * np.array([metric.share for metric in metrics])
    found = clustered_means(is_below.astype(float), clusters)
    estimates = [
        resampled_estimate(
            metric,
            float(pooled_percentile(values, metric.share)) if len(values) else np.nan,
            *(float(low), float(high), n_measured, n_clusters),
            crossing=crossing,
            balanced=float(balanced),
        )
        for metric, low, high, balanced in zip(metrics, *bounds, found.balanced_clusters, strict=True)
    ]
    return [
        estimate._replace(is_interval_reliable=estimate.is_interval_reliable and bool(is_known))
        for estimate, is_known in zip(estimates, is_wilson_reliable(found), strict=True)
    ]


def crossing_of(values: np.ndarray, owners: np.ndarray, ways: Sequence[np.ndarray]) -> float:
    """How many times as large both ways make the variance as one: of a percentile as of the mean of its values."""
    import numpy as np

    if len(ways) == 1 or not len(values):
        return 1.0
    counts = np.bincount(owners, minlength=len(ways[0]))
    means = np.bincount(owners, values, len(counts)) / np.where(counts, counts, np.nan)
    return float(cluster_ways(means[:, None], ways, counts).means.crossing[0])


def ratio_estimates(items: Items, chosen: np.ndarray, metrics: Sequence[Metric], seed: int) -> dict[Metric, Estimate]:
    """The same for measures of the counts of gold against given labels, which finrag.metrics.classification has."""
    if not metrics:
        return {}
    measured = chosen & ~items.is_error
    clusters, _ = renumbered(items.clusters[measured])
    counts = count(*(labels[measured].tolist() for labels in items.labels), clusters)
    return count_estimates(counts, metrics, seed)


def count_estimates(counts: np.ndarray, metrics: Sequence[Metric], seed: int) -> dict[Metric, Estimate]:
    """The same of the clusters' counts (clusters × 2 keys × 3 verdicts)."""
    values, bounds, of = measures(counts.sum(0)), intervals(counts, seed), sizes(counts)
    return {
        metric: resampled_estimate(metric, float(values[metric.column]), *bounds[metric.column], *of[metric.column])
        for metric in metrics
    }


def renumbered(clusters: np.ndarray) -> tuple[np.ndarray, int]:
    """The clusters that occur, numbered from 0 in their order, and how many there are."""
    import numpy as np

    if not len(clusters):
        return clusters, 0
    occurs = np.bincount(clusters) > 0
    return (np.cumsum(occurs) - 1)[clusters], int(occurs.sum())
