"""Values of every metric by run, gold variant, population and stratum, with their intervals.

Two populations: covered, the items that have gold, and all, in which items without gold score what the items model gives
them (0). Items with an error are in neither: they are counted in n_error. So are items without a value, which are not
counted at all.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from finrag.metrics.items import Items, read_items
from finrag.metrics.registry import Metric, code_checksum, read_metrics
from finrag.statistics.bootstrap import mean_intervals, percentile_intervals, pooled_percentile, seed_of
from finrag.statistics.wilson import wilson_interval

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    import pyarrow

RUN = ("run_id", "suite", "regime", "strategy", "embedding_model")
VARIANT = ("gold_window", "gold_predicate")
TEXT = (*RUN, *VARIANT, "population", "stratum_by", "stratum", "metric", "ci_method", "rollup_version")
COUNTS = ("n_total", "n_covered", "n_measured", "n_error", "n_clusters")
NUMBERS = ("value", "ci_low", "ci_high")


@dataclass(frozen=True)
class Stratum:
    """Items that are reported together."""

    stratum_by: str
    name: str
    ids: frozenset[str]


def roll_up_runs(session, *, runs, items, strata, registry, cutoffs: list[int], done: set[tuple[str, str]]):
    """Arrow table of the values of the current runs, without those that done holds as (run_id, rollup_version).

    session: DuckDB connection. runs, items, strata, registry: relations of retrieval_runs, retrieval_items,
    query_strata and the seed metrics.
    """
    metrics = read_metrics(registry, "retrieval_items", cutoffs)
    columns = (*RUN, "method", "is_external")
    rows: list[tuple] = []
    strata_of: dict[str, list[Stratum]] = {}
    for values in runs.filter("is_current").project(", ".join(columns)).order("suite, run_id").fetchall():
        run = dict(zip(columns, values, strict=True))
        of_run = items.filter(f"run_id = '{run['run_id']}'")
        version = rollup_version(of_run, strata.filter(f"suite = '{run['suite']}'"), metrics)
        if (run["run_id"], version) in done:
            continue
        if run["suite"] not in strata_of:
            strata_of[run["suite"]] = read_strata(strata.filter(f"suite = '{run['suite']}'"))
        applicable = [metric for metric in metrics if metric.applies(run)]
        head = tuple(run[name] for name in RUN)
        for variant in read_items(of_run, applicable, variant=VARIANT, item_id="query_id", cluster="filing_id"):
            for values in roll_up(variant, applicable, strata_of[run["suite"]]):
                rows.append((*head, *variant.variant, *values, version))
    return to_table(rows)


def rollup_version(items, strata, metrics: Sequence[Metric]) -> str:
    """Checksum of all that decides a run's values: its items' version, the strata, the registry and this code."""
    versions = items.aggregate("string_agg(distinct metrics_version order by metrics_version)").fetchall()
    content = strata.aggregate("bit_xor(hash(query_id, stratum_by, stratum)), count(*)").fetchall()
    return hashlib.md5(repr((versions, content, metrics, code_checksum())).encode(), usedforsecurity=False).hexdigest()


def read_strata(relation) -> list[Stratum]:
    """Strata of one suite, in order of their names. relation: query_strata of it."""
    ids: dict[tuple[str, str], list[str]] = {}
    for stratum_by, stratum, query_id in relation.project("stratum_by, stratum, query_id").order("all").fetchall():
        ids.setdefault((stratum_by, stratum), []).append(query_id)
    return [Stratum(*names, frozenset(members)) for names, members in ids.items()]


def roll_up(items: Items, metrics: Sequence[Metric], strata: Sequence[Stratum]) -> Iterator[tuple]:
    """Population, stratum_by, stratum, metric, k, value, ci_low, ci_high, ci_method and the counts, for every metric.

    A stratum without items of the population has its row, with n_measured 0 and a null value.
    """
    import numpy as np

    place = {item_id: number for number, item_id in enumerate(items.ids)}
    for stratum in strata:
        members = np.zeros(len(items), bool)
        members[[place[item_id] for item_id in stratum.ids if item_id in place]] = True
        seed = seed_of(stratum.stratum_by, stratum.name)
        covered = members & items.is_covered
        totals = (int(members.sum()), int(covered.sum()))
        values_of: dict[int, list[tuple]] = {}
        for population, chosen in (("covered", covered), ("all", members)):
            size = int(chosen.sum())
            # where every item is covered the two populations are the same
            if size not in values_of:
                values_of[size] = population_values(items, chosen, metrics, seed)
            n_error = int(items.is_error[chosen].sum())
            for metric, values in zip(metrics, values_of[size], strict=True):
                if population in metric.populations:
                    value, low, high, n_measured, n_clusters = values
                    method = "wilson" if metric.kind == "proportion" else "bootstrap"
                    names = (population, stratum.stratum_by, stratum.name, metric.name, metric.k)
                    yield (*names, value, low, high, method, *totals, n_measured, n_error, n_clusters)


def population_values(items: Items, chosen: np.ndarray, metrics: Sequence[Metric], seed: int) -> list[tuple]:
    """Value, ci_low, ci_high, n_measured and n_clusters of every metric over the chosen items."""
    import numpy as np

    clusters, members = np.unique(items.clusters[chosen], return_inverse=True)
    values = items.values[chosen]
    sums, counts = sums_by_cluster(values, members, len(clusters))
    n_measured = counts.sum(0).astype(int)
    n_clusters = (counts > 0).sum(0)
    with np.errstate(invalid="ignore"):
        means = sums.sum(0) / n_measured
    low, high = wilson_interval(sums.sum(0), n_measured)
    single = [metric for metric in metrics if metric.kind != "percentile"]
    is_mean = np.array([metric.kind == "mean" for metric in single], bool)
    low[is_mean], high[is_mean] = mean_intervals(sums[:, is_mean], counts[:, is_mean], seed)
    pooled = pooled_values(items, chosen, metrics, seed)
    results, place = [], 0
    for metric in metrics:
        if metric.kind == "percentile":
            results.append(pooled[metric])
        else:
            results.append((means[place], low[place], high[place], int(n_measured[place]), int(n_clusters[place])))
            place += 1
    return results


def sums_by_cluster(values: np.ndarray, members: np.ndarray, n_clusters: int) -> tuple[np.ndarray, np.ndarray]:
    """Sums of the values that are there, and how many there are: clusters × columns each."""
    import numpy as np

    present = ~np.isnan(values)
    sums = np.zeros((n_clusters, values.shape[1]))
    counts = np.zeros((n_clusters, values.shape[1]))
    np.add.at(sums, members, np.where(present, values, 0.0))
    np.add.at(counts, members, present)
    return sums, counts


def pooled_values(items: Items, chosen: np.ndarray, metrics: Sequence[Metric], seed: int) -> dict[Metric, tuple]:
    """The same as population_values for percentiles, those of one column at a time."""
    import numpy as np

    results: dict[Metric, tuple] = {}
    by_column: dict[str, list[Metric]] = {}
    for metric in metrics:
        if metric.kind == "percentile":
            by_column.setdefault(metric.column, []).append(metric)
    for column, of_column in by_column.items():
        values, owners = items.pools[column].of(chosen)
        clusters, members = np.unique(items.clusters[owners], return_inverse=True)
        shares = [metric.share for metric in of_column]
        low, high = percentile_intervals(values, members, len(clusters), shares, seed)
        n_measured = len(np.unique(owners))
        for number, metric in enumerate(of_column):
            value = pooled_percentile(values, metric.share) if len(values) else np.nan
            results[metric] = (value, low[number], high[number], n_measured, len(clusters))
    return results


def to_table(rows: list[tuple]) -> pyarrow.Table:
    """The columns of int_metric_values; nan becomes null."""
    import numpy as np
    import pyarrow

    names = (
        *RUN, *VARIANT, "population", "stratum_by", "stratum", "metric", "k",
        *NUMBERS, "ci_method", *COUNTS, "rollup_version",
    )  # fmt: skip
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(names)
    arrays = []
    for name, column in zip(names, columns, strict=True):
        if name in TEXT:
            arrays.append(pyarrow.array(column, pyarrow.string()))
        elif name in NUMBERS:
            arrays.append(pyarrow.array(np.array(column, float), pyarrow.float64(), from_pandas=True))
        else:
            arrays.append(pyarrow.array(column, pyarrow.int32() if name == "k" else pyarrow.int64()))
    return pyarrow.table(arrays, names=names)
