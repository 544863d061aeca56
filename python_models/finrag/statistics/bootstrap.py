"""Percentile bootstrap over clusters of items.

Sentences of one filing resemble each other, so whole filings are drawn, with replacement, as many as there are. A
resample is a vector of how often each cluster was drawn, so all resamples of all metrics are one matrix product.

B. Efron, Better Bootstrap Confidence Intervals, JASA 82 (1987); C. A. Field and A. H. Welsh, Bootstrapping clustered
data, JRSS B 69 (2007), on drawing clusters.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING

from finrag.statistics.clustered import student_t
from finrag.statistics.wilson import Z

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np

RESAMPLES = 2000
TAILS = (0.025, 0.975)
# Draws made at a time: bounds memory where there are tens of thousands of clusters.
DRAWS_PER_BATCH = 1_000_000


def seed_of(*names: str) -> int:
    """A seed that stays the same for the same names, on every machine."""
    return int.from_bytes(hashlib.sha256("|".join(names).encode()).digest()[:8], "big")


def resample_weights(clusters: int, seed: int, resamples: int = RESAMPLES) -> Iterator[np.ndarray]:
    """Batches of (some resamples × clusters) float64: how often each cluster is drawn. Rows add up to clusters."""
    batch = max(1, DRAWS_PER_BATCH // clusters)
    for number, first in enumerate(range(0, resamples, batch)):
        draw = _draw_once if resamples <= batch else _draw
        yield draw(clusters, (seed, number), min(batch, resamples - first)).astype(float)


def _draw(clusters: int, seed: tuple[int, int], resamples: int) -> np.ndarray:
    import numpy as np

    drawn = np.random.default_rng(seed).integers(0, clusters, size=(resamples, clusters))
    drawn += np.arange(resamples)[:, None] * clusters
    counts = np.bincount(drawn.ravel(), minlength=resamples * clusters)
    return counts.reshape(resamples, clusters).astype(np.uint16)


# runs, metrics and populations share the resamples of a stratum
_draw_once = lru_cache(maxsize=1024)(_draw)


def mean_intervals(sums: np.ndarray, counts: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """95 % bounds of the means sums.sum(0) / counts.sum(0), per column.

    sums, counts: clusters × columns, of the values in a cluster and of how many there are. nan where resampling shows
    no spread, which is no evidence that there is none: fewer than two clusters with values, or all clusters alike.
    Resamples that draw no value of a column do not count for it.
    """
    import numpy as np

    if sums.shape[0] < 2 or sums.shape[1] == 0:
        return np.full(sums.shape[1], np.nan), np.full(sums.shape[1], np.nan)
    # usually every column has a value for every item, and then the draws need to be counted once
    counted = counts[:, :1] if (counts == counts[:, :1]).all() else counts
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.vstack([(w @ sums) / (w @ counted) for w in resample_weights(sums.shape[0], seed)])
        observed = sums.sum(0) / counts.sum(0)
    columns = np.sort(means.T, axis=1)  # contiguous rows sort fastest; nan goes last
    drawn = RESAMPLES - np.isnan(columns).sum(1)
    low, high = (_quantile_of_sorted(columns, drawn, tail) for tail in TAILS)
    # alike up to rounding
    without_spread = ((counts > 0).sum(0) < 2) | ~(high - low > 1e-12 * np.maximum(1, np.abs(observed)))
    return np.where(without_spread, np.nan, low), np.where(without_spread, np.nan, high)


def expanded(
    value: float, low: float, high: float, n_clusters: float, bounds: tuple[float, float], crossing: float = 1.0
) -> tuple[float, float]:
    """Bounds of a bootstrap, moved away from the value as far as few clusters call for, within what it can be.

    crossing: how many times as large a second way to cluster makes the variance (finrag.statistics.clustered).

    Resamples of G clusters vary too little by the square root of (G - 1) / G, and their percentiles are those of a
    normal distribution where Student's t is meant. T. C. Hesterberg, What teachers should know about the bootstrap,
    The American Statistician 69 (2015), on expanded percentiles. n_clusters: at least 2; of unequal size, as many of
    one size as would be worth them.
    """
    factor = float(student_t(n_clusters)) / Z * (crossing * n_clusters / (n_clusters - 1)) ** 0.5
    return max(bounds[0], value - factor * (value - low)), min(bounds[1], value + factor * (high - value))


def _quantile_of_sorted(rows: np.ndarray, lengths: np.ndarray, share: float) -> np.ndarray:
    """numpy.quantile's linear method over the first lengths of every sorted row; nan for empty ones."""
    import numpy as np

    position = np.maximum(lengths - 1, 0) * share
    lower = position.astype(int)
    upper = np.minimum(lower + 1, np.maximum(lengths - 1, 0))
    every = np.arange(len(rows))
    low, high = rows[every, lower], rows[every, upper]
    return low + (high - low) * (position - lower)


def pooled_percentile(values: np.ndarray, share: float) -> float:
    """The smallest value that at least this share of the sorted values do not exceed (SQL's quantile_disc)."""
    return float(values[_rank(share, len(values))])


def _rank(share: float, n: int) -> int:
    """0-based place of a share of n sorted values. The small subtraction keeps 0.1 × 30 from becoming place 4 of 30."""
    import math

    return max(math.ceil(share * n - 1e-9), 1) - 1


def percentile_intervals(
    values: np.ndarray, clusters: np.ndarray, n_clusters: int, shares: list[float], seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """95 % bounds of percentiles of the values of all clusters together, one per share.

    values: sorted. clusters: the cluster of each value, 0 to n_clusters - 1. nan as in mean_intervals.

    The percentile of a resample is at most v when the share of its values up to v reaches the percentile's share. So
    the p-quantile over resamples is the smallest v for which that holds in at least p of them: a bisection over the
    distinct values, of which ranks have few, each step one product of the resamples with the clusters' counts up to v,
    and no resample is ever sorted.
    """
    import numpy as np

    totals = np.bincount(clusters, minlength=n_clusters).astype(float)
    if (totals > 0).sum() < 2:
        return np.full(len(shares), np.nan), np.full(len(shares), np.nan)
    targets = [(share, tail) for tail in TAILS for share in shares]
    wanted = np.array([[share] for share, _ in targets])
    draws, drawn = [], 0
    for weights in resample_weights(n_clusters, seed):
        total = weights @ totals
        drawn += int((total > 0).sum())
        # a resample without values has no percentile, so it never reaches one
        draws.append((weights.T, np.where(total > 0, wanted * total - 1e-9, np.inf)))
    needed = np.array([tail for _, tail in targets]) * drawn
    ends = np.flatnonzero(np.append(values[1:] != values[:-1], True)) + 1
    low, high = np.zeros(len(targets), int), np.full(len(targets), len(ends) - 1)
    while (low < high).any():
        middle = (low + high) // 2
        up_to = np.array([np.bincount(clusters[:end], minlength=n_clusters) for end in ends[middle]], float)
        reached = sum((up_to @ weights >= threshold).sum(1) for weights, threshold in draws)
        high = np.where(reached >= needed, middle, high)
        low = np.where(reached >= needed, low, middle + 1)
    bounds = values[ends[low] - 1].reshape(len(TAILS), len(shares)).astype(float)
    bounds[:, bounds[0] == bounds[1]] = np.nan
    return bounds[0], bounds[1]
