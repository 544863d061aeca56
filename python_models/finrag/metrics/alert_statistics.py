"""What each rule of seeds.alert_rules measures of each run that it applies to, with its interval and its evidence.

One row per rule and run. A rule `below` is about the mean over the run's anchors; one of change about the difference
between the run and the baseline on the same anchors, in pairs. Anchors of one company, and anchors with one text,
depend on each other: two ways to cluster (finrag.statistics.clustered).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from finrag.metrics.estimates import SINGLE_PRECISION
from finrag.statistics import e_values
from finrag.statistics.bootstrap import expanded, resample_weights, seed_of
from finrag.statistics.clustered import cluster_ways
from finrag.statistics.difference import difference_interval
from finrag.statistics.power import (
    CLUSTERS_OF_EVIDENCE,
    detectable_difference,
    detectable_fall,
    detectable_mean_difference,
    evident_mean_difference,
    times_as_many,
)
from finrag.statistics.reliability import is_bootstrap_reliable, is_difference_reliable, is_wilson_reliable
from finrag.statistics.sign_flip import clusters_that_differ, sign_flip_of_ways
from finrag.statistics.wilson import wilson_interval

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    import pyarrow

KEYS = (
    "rule_id", "run_id", "metric", "comparison", "threshold", "relative_threshold", "baseline_id", "baseline_model",
    "series_id",
)  # fmt: skip
FACTS = (
    "anchor_id", "cluster_id", "second_cluster_id", "run_value", "value", "baseline_value", "is_of_baseline",
    "is_present",
)  # fmt: skip
MEDIAN = "median_gold_distance"
COUNTED = ("n", "n_clusters", "n_clusters_differing")
FLAG = "is_interval_reliable"
BASELINE_DIGITS = 9
"""Decimals of what a baseline keeps."""


@dataclass
class Evidence:
    """Columns of int_alert_statistics; None where there is nothing to tell."""

    n: int = 0
    n_clusters: int = 0
    n_clusters_differing: int | None = None
    value: float | None = None
    baseline_value: float | None = None
    ci_low: float | None = None
    ci_high: float | None = None
    is_interval_reliable: bool | None = None
    minimum_detectable_effect: float | None = None
    n_to_see: float | None = None
    p_value: float | None = None
    e_value: float | None = None


def alert_statistics(items) -> pyarrow.Table:
    """items: relation of int_alert_items."""
    import pyarrow

    rows = []
    relation = items.project(", ".join((*KEYS, *FACTS))).order(", ".join((*KEYS, "anchor_id")))
    for key, group in groupby(relation.fetchall(), key=lambda row: row[: len(KEYS)]):
        rule = dict(zip(KEYS, key, strict=True))
        columns = dict(zip(FACTS, zip(*(row[len(KEYS) :] for row in group), strict=True), strict=True))
        rows.append(rule | counts(rule["metric"], columns) | vars(evidence(rule, columns)))
    floats = (
        "threshold",
        "relative_threshold",
        "run_value",
        *(f for f in Evidence.__annotations__ if f not in (*COUNTED, FLAG)),
    )
    whole = (*COUNTED, "run_n", "n_baseline_anchors", "n_baseline_anchors_missing")
    names = [*KEYS, "run_n", "run_value", "n_baseline_anchors", "n_baseline_anchors_missing", *Evidence.__annotations__]
    kinds = dict.fromkeys(floats, pyarrow.float64()) | dict.fromkeys(whole, pyarrow.int64()) | {FLAG: pyarrow.bool_()}
    schema = pyarrow.schema([(name, kinds.get(name, pyarrow.string())) for name in names])
    return pyarrow.Table.from_pylist(rows, schema=schema)


def counts(metric: str, columns: dict[str, tuple]) -> dict:
    """What the run has over all its anchors, and how many of the baseline's it still has."""
    import numpy as np

    values = [value for value in columns["run_value"] if value is not None]
    of_baseline = [
        there for there, is_of in zip(columns["is_present"], columns["is_of_baseline"], strict=True) if is_of
    ]
    return {
        "run_n": len(values),
        "run_value": float((np.median if metric == MEDIAN else np.mean)(values)) if values else None,
        "n_baseline_anchors": len(of_baseline),
        "n_baseline_anchors_missing": of_baseline.count(False),
    }


def evidence(rule: dict, columns: dict[str, tuple]) -> Evidence:
    import numpy as np

    is_change = rule["comparison"] == "absolute_change"
    values = np.array(columns["value" if is_change else "run_value"], float)
    before = np.array(columns["baseline_value"], float)
    known = ~np.isnan(values) & (~np.isnan(before) if is_change else True)
    if not known.any():
        return Evidence()
    first, second = numbered(columns["cluster_id"], known), numbered(columns["second_cluster_id"], known)
    ways = [first] if second is None else [first, second]
    if not is_change:
        return of_a_mean(values[known], ways, rule["threshold"])
    compared = of_medians if rule["metric"] == MEDIAN else of_a_difference
    wanted = wanted_effect(rule, before[known])
    return compared(values[known], before[known], ways, wanted, seed_of(rule["rule_id"]))


def wanted_effect(rule: dict, before: np.ndarray) -> float:
    """The change that a rule is there to see: its threshold, or the share of the baseline that it names, if less."""
    share = rule["relative_threshold"]
    return rule["threshold"] if share is None else min(rule["threshold"], share * float(before.mean()))


def numbered(names: tuple, known: np.ndarray) -> np.ndarray | None:
    """The clusters of the known items as numbers; None where they have none."""
    import numpy as np

    chosen = [name for name, is_known in zip(names, known, strict=True) if is_known]
    if any(name is None for name in chosen):
        return None
    return np.unique(chosen, return_inverse=True)[1]


def of_a_mean(values: np.ndarray, ways: Sequence[np.ndarray], threshold: float) -> Evidence:
    """The mean, held against a threshold that it should reach."""
    clustering = cluster_ways(values[:, None], ways)
    means, sums = clustering.means, clustering.sums
    there = sums.counts[:, 0] > 0
    by_cluster, counts = sums.sums[there, 0], sums.counts[there, 0]
    low, high = wilson_interval(means.mean, means.n_eff_balanced)

    # at the threshold the values vary as yes and no do, in clusters as large and as alike as these
    def detectable(times: float = 1.0) -> np.ndarray:
        return detectable_fall(means, threshold, times)

    return Evidence(
        n=len(values),
        n_clusters=int(means.n_clusters[0]),
        value=float(means.mean[0]),
        ci_low=float(low[0]),
        ci_high=float(high[0]),
        is_interval_reliable=bool(is_wilson_reliable(means)[0]),
        minimum_detectable_effect=number(detectable()[0]),
        n_to_see=n_to_see(detectable, 1 - threshold, len(values)),
        e_value=e_values.at_least(by_cluster / counts, counts, threshold, float(means.crossing[0])),
    )


def differences_of(values: np.ndarray, before: np.ndarray) -> np.ndarray:
    """What changed, in the digits of a baseline; less than single precision is none.

    A third that rose to one and a one that fell to a third would else leave something.
    """
    import numpy as np

    found = np.round(values, BASELINE_DIGITS) - before
    return np.where(np.abs(found) < SINGLE_PRECISION, 0.0, found)


def sizes_of(differences: np.ndarray) -> tuple[float, float]:
    """moved and typical of paired differences, see finrag.statistics.difference."""
    import numpy as np

    moved = float(np.abs(differences).mean())
    return moved, float((differences**2).mean()) / moved if moved else 1.0


def of_a_difference(
    values: np.ndarray, before: np.ndarray, ways: Sequence[np.ndarray], wanted: float, seed: int
) -> Evidence:
    """The mean of paired differences."""
    import numpy as np

    differences = differences_of(values, before)
    clustering = cluster_ways(differences[:, None], ways)
    means = clustering.means
    moved, typical = sizes_of(differences)
    low, high = difference_interval(means.mean, moved, typical, means.n_eff_balanced)
    # where nothing differs, what differences would cost in clusters is unknown; what the values themselves do is not
    spread = cluster_ways(before[:, None], ways).means if np.isnan(means.deff[0]) else means
    room = max(before.mean(), 1 - before.mean())

    def detectable(times: float = 1.0) -> np.ndarray:
        by_test = detectable_mean_difference(means, moved, typical, spread.n_independent, room, times)
        effect = np.maximum(by_test, evident_mean_difference(means, typical, times * spread.n_independent))
        return np.where(effect <= room, effect, np.nan)

    return Evidence(
        n=len(values),
        n_clusters=int(means.n_clusters[0]),
        n_clusters_differing=int(clusters_that_differ(clustering)[0]),
        value=float(values.mean()),
        baseline_value=float(before.mean()),
        ci_low=float(low[0]),
        ci_high=float(high[0]),
        is_interval_reliable=bool(is_difference_reliable(means, moved, typical)[0]),
        minimum_detectable_effect=number(detectable()[0]),
        n_to_see=n_to_see(detectable, wanted, len(values)),
        p_value=number(sign_flip_of_ways(clustering, seed)[0]),
        e_value=e_values.symmetric(clustering.sums.sums[:, 0], float(means.crossing[0])),
    )


def of_medians(
    values: np.ndarray, before: np.ndarray, ways: Sequence[np.ndarray], wanted: float, seed: int
) -> Evidence:
    """The difference of two medians over the same anchors, clusters of which are drawn again for its interval.

    The effect that could be seen is that of the more uncertain of the difference and the baseline's own median.
    """
    import numpy as np

    differences = differences_of(values, before)
    clustering = cluster_ways(differences[:, None], ways)
    clusters, crossing = ways[int(clustering.is_second[0])], float(clustering.means.crossing[0])
    n_clusters = int(clusters.max()) + 1
    found = Evidence(
        n=len(values),
        n_clusters=n_clusters,
        n_clusters_differing=int(clusters_that_differ(clustering)[0]),
        value=float(np.median(values)),
        baseline_value=float(np.median(before)),
        p_value=number(sign_flip_of_ways(clustering, seed)[0]),
        e_value=e_values.symmetric(clustering.sums.sums[:, 0], crossing),
        is_interval_reliable=False,
    )
    if n_clusters < 2:
        return found
    of_run, of_baseline = [], []
    for drawn in resample_weights(n_clusters, seed):
        of_run.append(weighted_medians(values, drawn, clusters))
        of_baseline.append(weighted_medians(before, drawn, clusters))
    medians, baselines = np.concatenate(of_run), np.concatenate(of_baseline)
    changes = medians - baselines
    low, high = np.quantile(changes, (0.025, 0.975))
    # the interval resamples clusters, the evidence flips the signs of the anchors' own differences
    is_symmetric = bool(is_difference_reliable(clustering.means, *sizes_of(differences))[0])
    found.is_interval_reliable = is_symmetric and is_bootstrap_reliable(float(clustering.means.fewest_balanced[0]))
    difference = found.value - found.baseline_value
    found.ci_low, found.ci_high = expanded(difference, float(low), float(high), n_clusters, (-np.inf, np.inf), crossing)
    error = max(float(changes.std(ddof=1)), float(baselines.std(ddof=1))) * crossing**0.5
    if np.round(clustering.means.balanced_clusters[0]) >= CLUSTERS_OF_EVIDENCE:
        found.minimum_detectable_effect = number(detectable_difference(np.array(error), np.array(n_clusters)))
    if found.minimum_detectable_effect is not None and wanted > 0:
        found.n_to_see = len(values) * (found.minimum_detectable_effect / wanted) ** 2
    return found


def n_to_see(detectable: Callable[[float], np.ndarray], wanted: float, n: int) -> float | None:
    """Items with which wanted would be seen; detectable: the effect with so many times as many."""
    times = times_as_many(detectable, wanted) if wanted > 0 else float("inf")
    return n * times if times < float("inf") else None


def weighted_medians(values: np.ndarray, drawn: np.ndarray, clusters: np.ndarray) -> np.ndarray:
    """Medians of values, as numpy.median gives them, where each occurs as often as its cluster is drawn.

    drawn: resamples × clusters, whole numbers. clusters: the cluster of each value.
    """
    import numpy as np

    order = np.argsort(values, kind="stable")
    # numpy adds up integers of this size several times as fast as floats; there are far fewer draws than they hold
    totals = np.cumsum(np.take(drawn.astype(np.int32), clusters[order], axis=1), axis=1, dtype=np.int32)
    count, twice = totals[:, -1:], 2 * totals
    ordered = values[order]
    below = np.minimum((twice < count).sum(1), len(values) - 1)
    above = np.minimum((twice <= count).sum(1), len(values) - 1)
    return (ordered[below] + ordered[above]) / 2


def number(value: float) -> float | None:
    """None for nan."""
    return None if value != value else float(value)
