"""Two runs of any task compared item by item: difference, interval, test and smallest difference that could be seen.

Only items that both runs measured, and that have gold in both, are pairs. Pairs of one cluster depend on each other:
interval and smallest difference follow from the clustered variance of the difference, and the test flips the signs of
clusters' sums. Anchors are clustered two ways (finrag.statistics.clustered).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from finrag.errors import FinragError
from finrag.metrics.items import TASKS, Items, read_items
from finrag.metrics.registry import Metric, code_checksum
from finrag.metrics.rollup import Stratum, checksum, read_strata
from finrag.settings import named
from finrag.statistics.bootstrap import seed_of
from finrag.statistics.clustered import cluster_ways
from finrag.statistics.difference import difference_interval
from finrag.statistics.power import detectable_mean_difference
from finrag.statistics.reliability import is_difference_reliable
from finrag.statistics.sign_flip import ROUNDING, clusters_that_differ, sign_flip_of_ways
from finrag.tables import table_of
from finrag.threads import one_blas_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy as np
    import pyarrow

# Groupings that are compared; the many small groups of the others tell runs apart only by chance.
STRATA = (
    *("section_length_bucket", "numeric_heavy", "boilerplate_cluster"),
    *("difficulty", "retrieval_scope", "answer_type"),
)
OVERALL = ("overall", "all")
VARIANT = ("gold_window", "gold_predicate")
TEST = "sign_flip"
TEXT = ("pair_id", "run_id_a", "run_id_b", *VARIANT, "stratum_by", "stratum", "metric", "test", "comparison_version")
NUMBERS = (
    "deff", "value_a", "value_b", "difference", "ci_low", "ci_high", "mean_absolute_difference", "p_value",
    "minimum_detectable_effect",
)  # fmt: skip
COLUMNS = (
    "pair_id", "run_id_a", "run_id_b", *VARIANT, "stratum_by", "stratum", "metric", "k", "n_pairs", "n_clusters",
    "n_clusters_differing", "deff", "value_a", "value_b", "difference", "ci_low", "ci_high", "is_interval_reliable",
    "mean_absolute_difference", "test", "n_a_only", "n_b_only", "p_value", "minimum_detectable_effect",
    "comparison_version",
)  # fmt: skip


def compare_runs(items_name: str, metrics: Sequence[Metric], *, runs, pairs, items, strata, done: set[tuple[str, str]]):
    """Arrow table of the comparisons of all pairs, without those that done holds as (pair_id, comparison_version).

    items_name: a key of TASKS. runs, pairs, items, strata: relations of the runs, of those that are compared, of what
    they are compared on, and of the strata of that.
    """
    compared = [metric for metric in metrics if metric.is_compared]
    rows = [dict(zip(runs.columns, row, strict=True)) for row in runs.fetchall()]
    # a run that is no longer known has whatever its items hold
    lacking = {row["run_id"]: {m.name for m in compared if not m.applies(row)} for row in rows}
    suites = {run_id: (suite, version) for run_id, suite, version in scored_runs(items)}
    base = (
        (compared, TASKS[items_name]),
        code_checksum(),
        strata.aggregate("bit_xor(hash(suite, query_id, stratum_by, stratum))").fetchall(),
    )
    items_of: dict[str, dict[tuple, Items]] = {}
    strata_of: dict[str, list[Stratum]] = {}

    def read(run_id: str) -> dict[tuple, Items]:
        if run_id not in items_of:
            of_run = items.filter(f"run_id = '{run_id}'")
            items_of[run_id] = {each.variant: each for each in read_items(of_run, compared, TASKS[items_name])}
        return items_of[run_id]

    def values_of(run_a: str, run_b: str) -> Iterator[tuple]:
        suite = suites[run_b][0]
        if suite not in strata_of:
            items_of.clear()
            found = read_strata(strata.filter(f"suite = '{suite}'"))
            strata_of[suite] = [stratum for stratum in found if stratum.stratum_by in STRATA]
        a, b = read(run_a), read(run_b)
        names = sorted(a.keys() & b.keys())
        left_out = lacking.get(run_a, set()) | lacking.get(run_b, set())
        for number, values in compare([Pairs.of(a[name], b[name]) for name in names], compared, strata_of[suite]):
            if values[2] not in left_out:
                yield *names[number], *values

    return table_of_pairs(pairs, lambda a, b: checksum(suites[a], suites[b], base), done, values_of)


def table_of_pairs(pairs, version_of: Callable[[str, str], str], done: set[tuple[str, str]], values_of: Callable):
    """The columns of int_run_comparisons, of pairs that are not done under their version.

    values_of: of two runs, what stands between their names and the version.
    """
    rows: list[tuple] = []
    with one_blas_thread():
        for run_a, run_b in pairs.project("run_id_a, run_id_b").distinct().order("all").fetchall():
            pair_id, version = f"{run_a}:{run_b}", version_of(run_a, run_b)
            if (pair_id, version) not in done:
                rows += [(pair_id, run_a, run_b, *values, version) for values in values_of(run_a, run_b)]
    return to_table(rows)


def to_table(rows: list[tuple]) -> pyarrow.Table:
    """The columns of int_run_comparisons; nan becomes null."""
    return table_of(COLUMNS, rows, TEXT, NUMBERS, flags=("is_interval_reliable",))


def scored_runs(items) -> list[tuple[str, str, str]]:
    """run_id, suite and metrics_version of every run that has items."""
    return items.aggregate("run_id, suite, max(metrics_version)", "run_id, suite").order("suite, run_id").fetchall()


def check_requested(requested: str, items) -> None:
    """Refuse pairs of the var compare_runs that cannot be compared. items: relation of retrieval_items."""
    suites = {run_id: suite for run_id, suite, _ in scored_runs(items)}
    known = ", ".join(f"{run_id} ({suite})" for run_id, suite in suites.items()) or "none yet"
    for pair in requested.split():
        names = pair.split(":")
        if len(names) != 2 or not all(names) or names[0] == names[1]:
            raise FinragError(
                f"{named('compare_runs')}: '{pair}' is not a pair of runs. Write run_id:run_id, two different runs, "
                f"pairs separated by spaces. Runs with results (metrics.retrieval_items): {known}."
            )
        unknown = [name for name in names if name not in suites]
        if unknown:
            raise FinragError(
                f"{named('compare_runs')}: no results of run {' or '.join(unknown)}. Runs with results "
                f"(metrics.retrieval_items): {known}. retrieval.retrieval_runs says what each of them is."
            )
        if suites[names[0]] != suites[names[1]]:
            raise FinragError(
                f"{named('compare_runs')}: '{pair}' pairs a run of suite {suites[names[0]]} with one of "
                f"{suites[names[1]]}, which share no query. Runs with results: {known}."
            )


@dataclass(frozen=True)
class Pairs:
    """Items that both runs measured and that have gold in both, of one gold variant.

    ids, clusters, second_clusters: (n,). values_a, values_b: n × metrics; nan where there is none. least_p_value: below
    which no p-value of theirs can be believed. outcomes: how many a value is the share of, as a source of its claims.
    """

    ids: np.ndarray
    clusters: np.ndarray
    values_a: np.ndarray
    values_b: np.ndarray
    second_clusters: np.ndarray | None = None
    least_p_value: float = 0.0
    outcomes: float = 1.0

    @classmethod
    def of(cls, a: Items, b: Items) -> Pairs:
        import numpy as np

        _, in_a, in_b = np.intersect1d(a.ids, b.ids, assume_unique=True, return_indices=True)
        covered = a.is_covered[in_a] & b.is_covered[in_b]
        in_a, in_b = in_a[covered], in_b[covered]
        second = None if b.second_clusters is None else b.second_clusters[in_b]
        return cls(b.ids[in_b], b.clusters[in_b], a.values[in_a], b.values[in_b], second)

    def within(self, ids: frozenset) -> Pairs:
        import numpy as np

        chosen = np.fromiter(map(ids.__contains__, self.ids), bool, len(self.ids))
        arrays = (
            "ids",
            "clusters",
            "values_a",
            "values_b",
            *(() if self.second_clusters is None else ("second_clusters",)),
        )
        return replace(self, **{name: getattr(self, name)[chosen] for name in arrays})

    @cached_property
    def differences(self) -> np.ndarray:
        """b minus a, n × metrics."""
        import numpy as np

        found = self.values_b - self.values_a
        found[np.abs(found) < ROUNDING] = 0
        return found


def compare(
    variants: Sequence[Pairs], metrics: Sequence[Metric], strata: Sequence[Stratum]
) -> Iterator[tuple[int, tuple]]:
    """Number of the variant, and the columns from stratum_by to minimum_detectable_effect.

    Overall and for every stratum and metric with pairs.
    """
    for stratum in (None, *strata):
        by = OVERALL if stratum is None else (stratum.stratum_by, stratum.name)
        seed = seed_of(*by)
        for number, pairs in enumerate(variants):
            for values in compare_pairs(pairs if stratum is None else pairs.within(stratum.ids), metrics, seed):
                yield number, (*by, *values)


def compare_pairs(pairs: Pairs, metrics: Sequence[Metric], seed: int) -> Iterator[tuple]:
    """The columns from metric to minimum_detectable_effect, of every metric with pairs."""
    import numpy as np

    values_a, values_b, differences = pairs.values_a, pairs.values_b, pairs.differences
    is_pair = ~np.isnan(differences)
    n_pairs = is_pair.sum(0)
    if not n_pairs.any():
        return
    ways = [pairs.clusters] if pairs.second_clusters is None else [pairs.clusters, pairs.second_clusters]
    clustering = cluster_ways(differences, ways)
    means, p_values = clustering.means, np.maximum(sign_flip_of_ways(clustering, seed), pairs.least_p_value)
    known = np.where(is_pair, differences, 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean_a = np.where(is_pair, values_a, 0.0).sum(0) / n_pairs
        mean_b = np.where(is_pair, values_b, 0.0).sum(0) / n_pairs
        moved = np.abs(known).sum(0) / n_pairs
        typical = np.where(moved > 0, (known**2).sum(0) / n_pairs / moved, 1.0)
    low, high = difference_interval(means.mean, moved, typical, means.n_eff_balanced)
    is_reliable = is_difference_reliable(means, moved, typical, pairs.outcomes)
    lowest, highest = np.array([metric.range for metric in metrics], float).T
    # contributions to a pooled share may differ by more than shares can
    low, high = np.maximum(low, lowest - highest), np.minimum(high, highest - lowest)
    effect = detectable_mean_difference(
        means, moved, typical, means.n_independent, room=np.maximum(highest - mean_a, mean_a - lowest)
    )
    differing = clusters_that_differ(clustering)
    a_only, b_only = (known < 0).sum(0), (known > 0).sum(0)
    for place, metric in enumerate(metrics):
        if n_pairs[place]:
            is_binary = metric.kind == "proportion"
            yield (
                metric.name, metric.k, n_pairs[place], means.n_clusters[place], differing[place], means.deff[place],
                mean_a[place], mean_b[place], means.mean[place], low[place], high[place], is_reliable[place],
                moved[place], TEST,
                a_only[place] if is_binary else None, b_only[place] if is_binary else None,
                p_values[place], effect[place],
            )  # fmt: skip
