"""How well two ratings of the same items agree, with bootstrap intervals over clusters of items.

Spearman's rho and Kendall's tau-b for scores, Cohen's kappa for labels, quadratically weighted for ordinal ones. They
agree with scipy.stats and scikit-learn, ties included. What is undefined is nan, never 0: a rating that is the same for
all items correlates with nothing.

A resample draws whole clusters, so it is a vector of how often each was drawn, and every statistic is computed from
those weights for all resamples at once: no resample is ever written out. The sum over pairs in tau-b, for one, is a
quadratic form of the weights with a matrix of clusters × clusters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from finrag.statistics.bootstrap import RESAMPLES, resample_weights
from finrag.statistics.confusion import percentile_bounds, table_intervals

if TYPE_CHECKING:
    import numpy as np

ROWS_AT_A_TIME = 2_000_000
"""Numbers in one intermediate array: bounds memory with thousands of items and resamples."""


def rank_correlations(
    first: np.ndarray, second: np.ndarray, clusters: np.ndarray, seed: int, resamples: int = RESAMPLES
) -> dict[str, tuple[float, float, float]]:
    """spearman and kendall_tau_b of two scores of the same items, each as value, lower and upper 95 % bound.

    clusters: an integer per item. Bounds are nan with fewer than two clusters, or where resampling shows no spread.
    """
    import numpy as np

    if not len(first):
        return dict.fromkeys(("spearman", "kendall_tau_b"), (np.nan, np.nan, np.nan))
    pairs = _Pairs(np.asarray(first, float), np.asarray(second, float), np.asarray(clusters))
    count = pairs.cluster_count
    values = pairs.correlations(np.ones((1, count)))[0]
    low = high = np.full(2, np.nan)
    if count > 1:
        drawn = np.concatenate([pairs.correlations(weights) for weights in resample_weights(count, seed, resamples)])
        low, high = percentile_bounds(drawn, values)
    return {
        name: (float(values[place]), float(low[place]), float(high[place]))
        for place, name in enumerate(("spearman", "kendall_tau_b"))
    }


class _Pairs:
    """Two scores per item, prepared for any weights of the clusters."""

    def __init__(self, first: np.ndarray, second: np.ndarray, clusters: np.ndarray) -> None:
        import numpy as np

        order = np.argsort(clusters, kind="stable")
        self.clusters = np.unique(clusters[order], return_inverse=True)[1]
        self.cluster_count = int(self.clusters[-1]) + 1
        # scores matter only by their order: each becomes the number of its group of equal ones
        self.groups = [np.unique(scores[order], return_inverse=True)[1] for scores in (first, second)]
        self.group_counts = [self._counts(groups) for groups in self.groups]
        self.concordance = self._concordance()

    def _counts(self, groups: np.ndarray) -> np.ndarray:
        """Items of each cluster in each group."""
        import numpy as np

        width = int(groups.max()) + 1
        cells = np.bincount(self.clusters * width + groups, minlength=self.cluster_count * width)
        return cells.reshape(self.cluster_count, width).astype(float)

    def _concordance(self) -> np.ndarray:
        """Concordant minus discordant pairs between clusters, each pair in both directions."""
        import numpy as np

        starts = np.flatnonzero(np.diff(self.clusters, prepend=-1))
        result = np.zeros((self.cluster_count, self.cluster_count))
        size = len(self.clusters)
        step = max(1, ROWS_AT_A_TIME // size)
        for begin in range(0, size, step):
            rows = slice(begin, begin + step)
            signs = np.ones((len(self.clusters[rows]), size), np.int32)
            for groups in self.groups:
                signs *= np.sign(groups[rows, None] - groups[None, :]).astype(np.int32)
            np.add.at(result, self.clusters[rows], np.add.reduceat(signs, starts, axis=1))
        return result

    def correlations(self, weights: np.ndarray) -> np.ndarray:
        """Spearman's rho and Kendall's tau-b for each row of weights (resamples × clusters)."""
        import numpy as np

        step = max(1, ROWS_AT_A_TIME // len(self.clusters))
        parts = [
            np.stack([self._spearman(some), self._kendall(some)], axis=1)
            for some in (weights[begin : begin + step] for begin in range(0, len(weights), step))
        ]
        return np.concatenate(parts)

    def _spearman(self, weights: np.ndarray) -> np.ndarray:
        deviations, spreads = [], []
        total = (weights @ self.group_counts[0]).sum(1, keepdims=True)
        for groups, counts in zip(self.groups, self.group_counts, strict=True):
            sizes = weights @ counts
            ranks = sizes.cumsum(1) - sizes + (sizes + 1) / 2 - (total + 1) / 2
            spreads.append((sizes * ranks**2).sum(1))
            deviations.append(ranks[:, groups])
        products = (weights[:, self.clusters] * deviations[0] * deviations[1]).sum(1)
        return _ratio(products, spreads)

    def _kendall(self, weights: np.ndarray) -> np.ndarray:
        score = ((weights @ self.concordance) * weights).sum(1) / 2
        untied = []
        for counts in self.group_counts:
            sizes = weights @ counts
            total = sizes.sum(1)
            untied.append((total * (total - 1) - (sizes * (sizes - 1)).sum(1)) / 2)
        return _ratio(score, untied)


def _ratio(score: np.ndarray, spreads: list[np.ndarray]) -> np.ndarray:
    """score / √(product of the spreads); nan where one of them is 0."""
    import numpy as np

    product = np.sqrt(spreads[0]) * np.sqrt(spreads[1])
    has_spread = (spreads[0] > 1e-9) & (spreads[1] > 1e-9)
    return np.divide(score, product, out=np.full(score.shape, np.nan), where=has_spread)


def telling_clusters(
    first: np.ndarray, second: np.ndarray, clusters: np.ndarray, strata: np.ndarray | None = None
) -> int:
    """How many clusters an agreement is known from: at most all, and twice those with a rating that is not the rater's
    most frequent one, of the rater with fewer of them.

    Where 29 of 30 items are alike, all hangs on whether the raters meet on the last one, which no resample tells. Where
    both halves are as large, it is all clusters. Of agreement within strata, a rater has a most frequent one in each.
    """
    import numpy as np

    if not len(first):
        return 0
    masks = [np.ones(len(first), bool)] if strata is None else [strata == stratum for stratum in np.unique(strata)]
    others = []
    for ratings in (first, second):
        telling = []
        for own in masks:
            _, group, sizes = np.unique(ratings[own], return_inverse=True, return_counts=True)
            telling.append(clusters[own][group != sizes.argmax()])
        others.append(len(np.unique(np.concatenate(telling))))
    return min(2 * min(others), len(np.unique(clusters)))


def kappa(tables: np.ndarray, is_quadratic: bool = False) -> np.ndarray:
    """Cohen's kappa of tables of labels (strata × labels × labels in the last three axes); nan where chance explains
    everything.

    Of several strata it is 1 - disagreement / disagreement by chance, each the sum of the strata's own: what tells
    strata apart and nothing in them is 0, and a stratum in which all is alike adds nothing.
    J. Cohen, A coefficient of agreement for nominal scales, EPM 20 (1960); Weighted kappa, Psychol. Bull. 70 (1968).
    """
    import numpy as np

    count = tables.shape[-1]
    distance = np.abs(np.arange(count)[:, None] - np.arange(count)[None, :])
    penalty = distance**2 if is_quadratic else (distance > 0).astype(int)
    total = tables.sum((-2, -1))
    by_chance = tables.sum(-1)[..., :, None] * tables.sum(-2)[..., None, :]
    expected = ((by_chance * penalty).sum((-2, -1)) / np.maximum(total, 1)).sum(-1)
    observed = (tables * penalty).sum((-2, -1)).sum(-1)
    return 1 - np.divide(observed, expected, out=np.full(np.shape(expected), np.nan), where=expected > 0)


def kappa_with_interval(
    first: np.ndarray,
    second: np.ndarray,
    clusters: np.ndarray,
    seed: int,
    is_quadratic: bool = False,
    strata: np.ndarray | None = None,
) -> tuple[float, float, float]:
    """kappa of two labels (whole numbers from 0) of the same items, and its 95 % bounds; see rank_correlations.

    strata: an integer per item, for agreement within them.
    """
    import numpy as np

    if not len(first):
        return np.nan, np.nan, np.nan
    places = np.unique(clusters, return_inverse=True)[1]
    groups = np.zeros(len(first), int) if strata is None else np.unique(strata, return_inverse=True)[1]
    labels = int(max(first.max(), second.max())) + 1
    shape = (int(places.max()) + 1, int(groups.max()) + 1, labels, labels)
    tables = np.zeros(shape)
    np.add.at(tables, (places, groups, first, second), 1)

    def statistic(stack: np.ndarray) -> np.ndarray:
        return kappa(stack, is_quadratic)

    low, high = table_intervals(tables, statistic, seed)
    return float(statistic(tables.sum(0))), float(low), float(high)
