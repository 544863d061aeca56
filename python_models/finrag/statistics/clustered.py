"""Means of items that are not independent: how many independent items they are worth.

Wordings of one question, anchors of one company and claims of one source resemble each other. The variance of a mean
is therefore that of sums over clusters (the linearised variance of a ratio estimator, also called CR1):

    V = G / (G - 1) * sum over clusters of (sum of w * (y - mean))^2 / (sum of w)^2

The design effect is V over the variance that as many independent items would have, s^2 / n; it holds what clusters
and what unequal weights cost. The effective number of items is

    n_eff = min(n, n / deff) * (1.96 / t)^2,  t: 97.5th percentile of Student's t with G - 1 degrees of freedom,

because a variance from few clusters is itself uncertain. Where all items are alike there is no variance to tell, and
n_eff is G, the number of clusters. One cluster says nothing of others: n_eff is 0.

Anchors have two ways to cluster, by company and by repeated text, and neither is inside the other. The way that leaves
fewer effective items counts, and where both matter its variance is widened to that of both,

    V(company) + V(text) - V(company and text),

which counts what two items have in common by either way once. Both leave at most as many effective items as either.

E. L. Korn and B. I. Graubard, Confidence intervals for proportions with small expected number of positive counts
estimated from survey data, Survey Methodology 24 (1998). E. Miller, Adding error bars to evals, arXiv 2411.00640
(2024). A. C. Cameron, J. B. Gelbach and D. L. Miller, Robust inference with multiway clustering, Journal of Business &
Economic Statistics 29 (2011).
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from finrag.statistics.wilson import Z

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np

    Columns = TypeVar("Columns", "ClusteredMeans", "ClusterSums")

NO_SPREAD = 1e-11
"""A variance below this, relative to the mean of the squares, is rounding: of hits as of hundredths of a cent."""
ROUNDING = 1e-9
"""So are variances that differ by this share."""


@dataclass(frozen=True)
class ClusterSums:
    """What a mean and its variance are made of, by cluster: arrays of clusters × columns."""

    counts: np.ndarray  # items that have a value, or their trials
    weights: np.ndarray  # sum of w
    sums: np.ndarray  # sum of w * y
    squares: np.ndarray  # sum of w * y^2


@dataclass(frozen=True)
class ClusteredMeans:
    """One number per column; nan for what cannot be told."""

    mean: np.ndarray
    variance: np.ndarray  # cluster-robust, of the mean
    naive_variance: np.ndarray  # of the mean of as many independent items
    n: np.ndarray
    n_clusters: np.ndarray  # those that have a value
    balanced_clusters: np.ndarray  # as many of equal weight would be worth them: (sum of w)^2 / sum of clusters' w^2
    variance_clusters: np.ndarray  # the same of their squared weights: what a variance between clusters is known from
    deff: np.ndarray
    n_eff: np.ndarray
    # of two ways to cluster, the variance of both over that of the one that counts; 1 with one way
    crossing: np.ndarray
    fewest_clusters: np.ndarray  # of either way
    fewest_balanced: np.ndarray  # balanced_clusters of the way that has fewer of these

    @property
    def standard_error(self) -> np.ndarray:
        """Of the mean, never below that of independent items; nan with one cluster and where all items are alike."""
        import numpy as np

        error = np.sqrt(np.fmax(self.variance, self.naive_variance))
        return np.where(np.isnan(self.deff), np.nan, error)

    @property
    def variance_ratio(self) -> np.ndarray:
        """Variance of the mean / (mean * (1 - mean)): 1 / n for independent yes and no, 1 / clusters if all agree."""
        import numpy as np

        with np.errstate(invalid="ignore", divide="ignore"):
            ratio = self.standard_error**2 / (self.mean * (1 - self.mean))
            return np.where(np.isnan(self.deff), 1 / self.n_clusters, ratio)

    @property
    def n_independent(self) -> np.ndarray:
        """n / deff, at most n; as many as there are clusters where all items agree."""
        import numpy as np

        return np.where(np.isnan(self.deff), self.n_clusters, self.n / np.fmax(self.deff, 1))

    @property
    def n_eff_balanced(self) -> np.ndarray:
        """n_eff with the t of as many equal clusters as these weigh as much as; n_eff where all are of one size.

        A mean is mostly of a cluster that holds most of the items, so that one hardly deviates from it, whatever it is.
        That all clusters are alike is as unlikely whatever their sizes are, so that there too it is n_eff.
        """
        import numpy as np

        balanced = np.minimum(self.balanced_clusters, self.n_clusters)
        n_eff = self.n_independent * (Z / student_t(balanced)) ** 2
        return np.where(np.isnan(self.deff), self.n_eff, n_eff)


def clustered_means(
    values: np.ndarray, clusters: np.ndarray, weights: np.ndarray | None = None, trials: np.ndarray | None = None
) -> ClusteredMeans:
    """Means by column. values: items × columns, nan where an item has none. clusters: an integer per item.

    weights: one per item, 1 / the probability that it was drawn; without them all count alike. trials: items × columns,
    for a value that is a share of so many yes-or-no outcomes, which are pooled; nan in columns of single values.
    """
    return means_of_sums(cluster_sums(values, clusters, weights, trials))


def cluster_sums(
    values: np.ndarray, clusters: np.ndarray, weights: np.ndarray | None = None, trials: np.ndarray | None = None
) -> ClusterSums:
    """Sums over the items of each cluster that occurs, in order of the clusters' numbers; see clustered_means."""
    import numpy as np

    if not len(values):
        empty = np.zeros((0, values.shape[1]))
        return ClusterSums(empty, empty, empty, empty)
    order = np.argsort(clusters, kind="stable")
    starts = np.flatnonzero(np.diff(clusters[order], prepend=-1))
    values = values[order]
    is_there = ~np.isnan(values)
    counted = is_there.astype(float)
    values = np.where(is_there, values, 0.0)
    squared = values**2
    if trials is not None:
        is_pooled = ~np.isnan(trials).all(0)
        counted[:, is_pooled] *= np.nan_to_num(trials[order][:, is_pooled])
        squared[:, is_pooled] = values[:, is_pooled]
    weighing = counted if weights is None else counted * np.asarray(weights, float)[order, None]
    counts = np.add.reduceat(counted, starts, axis=0)
    return ClusterSums(
        counts=counts,
        weights=counts if weights is None else np.add.reduceat(weighing, starts, axis=0),
        sums=np.add.reduceat(weighing * values, starts, axis=0),
        squares=np.add.reduceat(weighing * squared, starts, axis=0),
    )


def balanced_clusters(weights: np.ndarray) -> np.ndarray:
    """As many clusters of one weight as would be worth these (first axis), (sum of w)^2 / sum of w^2; 0 of none."""
    import numpy as np

    squares = (weights**2).sum(0)
    return np.divide(weights.sum(0) ** 2, squares, out=np.zeros(np.shape(squares)), where=squares > 0)


def variance_of_sums(by_cluster: ClusterSums) -> np.ndarray:
    """Of the mean, by column: that of sums over clusters, V."""
    import numpy as np

    with np.errstate(invalid="ignore", divide="ignore"):
        total = by_cluster.weights.sum(0)
        deviations = by_cluster.sums - by_cluster.sums.sum(0) / total * by_cluster.weights
        n_clusters = (by_cluster.counts > 0).sum(0)
        return n_clusters / (n_clusters - 1) * (deviations**2).sum(0) / total**2


def means_of_sums(by_cluster: ClusterSums) -> ClusteredMeans:
    """Means by column, from the sums of clusters."""
    import numpy as np

    n = by_cluster.counts.sum(0)
    n_clusters = (by_cluster.counts > 0).sum(0)
    total = by_cluster.weights.sum(0)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = by_cluster.sums.sum(0) / total
        squared_weights = (by_cluster.weights**2).sum(0)
        balanced_clusters = total**2 / squared_weights
        variance_clusters = squared_weights**2 / (by_cluster.weights**4).sum(0)
        variance = variance_of_sums(by_cluster)
        mean_square = by_cluster.squares.sum(0) / total
        spread = np.maximum(mean_square - mean**2, 0.0)
        naive_variance = spread / (n - 1)
        is_alike = spread <= NO_SPREAD * mean_square
        deff = np.where(is_alike | (n_clusters < 2), np.nan, variance / naive_variance)
        n_eff = np.minimum(n, n / deff) * (Z / student_t(n_clusters)) ** 2
    n_eff = np.where(is_alike, n_clusters.astype(float), n_eff)
    n_eff = np.where(n_clusters < 2, 0.0, n_eff)
    return ClusteredMeans(
        mean=mean,
        variance=np.where(n_clusters < 2, np.nan, variance),
        naive_variance=np.where(n < 2, np.nan, naive_variance),
        n=n.astype(int),
        n_clusters=n_clusters,
        balanced_clusters=balanced_clusters,
        variance_clusters=variance_clusters,
        deff=deff,
        n_eff=n_eff,
        crossing=np.ones(len(n)),
        fewest_clusters=n_clusters,
        fewest_balanced=balanced_clusters,
    )


@dataclass(frozen=True)
class Clustering:
    """Items that one or two ways cluster.

    Of two that counts, by column, which leaves the smaller n_eff: it also says that a design effect from few clusters
    is uncertain.
    """

    means: ClusteredMeans
    by_way: tuple[ClusterSums, ...]
    is_second: np.ndarray  # by column, whether the second way counts

    @property
    def sums(self) -> ClusterSums:
        """Of the way that counts, with rows of zeros where it has fewer clusters than the other."""
        if len(self.by_way) == 1:
            return self.by_way[0]
        rows = max(len(sums.counts) for sums in self.by_way)
        padded = [ClusterSums(*(_padded(array, rows) for array in _arrays(sums))) for sums in self.by_way]
        return _chosen(self.is_second, *padded)


def cluster_ways(
    values: np.ndarray,
    ways: Sequence[np.ndarray],
    weights: np.ndarray | None = None,
    trials: np.ndarray | None = None,
) -> Clustering:
    """ways: one or two, an integer per item each. The rest: see clustered_means."""
    import numpy as np

    by_way = tuple(cluster_sums(values, way, weights, trials) for way in ways)
    means = means_of_sums(by_way[0])
    if len(ways) == 1:
        return Clustering(means, by_way, np.zeros(values.shape[1], bool))
    by_first, by_second = means, means_of_sums(by_way[1])
    is_second = by_second.n_eff < by_first.n_eff
    means = replace(
        _chosen(is_second, by_first, by_second),
        fewest_clusters=np.minimum(by_first.n_clusters, by_second.n_clusters),
        fewest_balanced=np.fmin(by_first.balanced_clusters, by_second.balanced_clusters),
    )
    cells = cluster_sums(values, ways[0] * (ways[1].max(initial=0) + 1) + ways[1], weights, trials)
    if len(cells.counts) not in (len(sums.counts) for sums in by_way):  # else one way is inside the other
        means = _crossed(means, by_first.variance + by_second.variance - variance_of_sums(cells))
    return Clustering(means, by_way, is_second)


def _crossed(means: ClusteredMeans, both: np.ndarray) -> ClusteredMeans:
    """Means by the way that counts, with the variance of both ways where that is larger."""
    import numpy as np

    with np.errstate(invalid="ignore", divide="ignore"):
        # never below independent items, as in n_eff: clusters that happen to be alike would widen without end
        least = np.fmax(means.variance, means.naive_variance)
        is_crossed = ~np.isnan(means.deff) & (both > least * (1 + ROUNDING))
        deff = np.where(is_crossed, both / means.naive_variance, means.deff)
        n_eff = np.minimum(means.n, means.n / deff) * (Z / student_t(means.n_clusters)) ** 2
        return replace(
            means,
            variance=np.where(is_crossed, both, means.variance),
            deff=deff,
            n_eff=np.where(is_crossed, n_eff, means.n_eff),
            crossing=np.where(is_crossed, both / least, 1.0),
        )


def _chosen(is_second: np.ndarray, first: Columns, second: Columns) -> Columns:
    """By column, the last axis of all their arrays, one of two."""
    import numpy as np

    return type(first)(*map(partial(np.where, is_second), _arrays(second), _arrays(first)))


def _padded(array: np.ndarray, rows: int) -> np.ndarray:
    """With rows of zeros below. numpy.pad takes ten times as long for arrays of this size."""
    import numpy as np

    padded = np.zeros((rows, array.shape[1]))
    padded[: len(array)] = array
    return padded


def _arrays(found: ClusteredMeans | ClusterSums) -> Iterator[np.ndarray]:
    return (getattr(found, field.name) for field in fields(found))


def student_t(n_clusters: np.ndarray, n_intervals: int = 1) -> np.ndarray:
    """97.5th percentile of Student's t with one degree of freedom less than there are clusters; inf for none left.

    Of n_intervals that have to hold together, the percentile that leaves each its share of the 2.5 % (Bonferroni).
    """
    import numpy as np
    from scipy.special import stdtrit

    freedom = np.asarray(n_clusters, float) - 1
    return np.where(freedom > 0, stdtrit(np.where(freedom > 0, freedom, 1), 1 - 0.025 / n_intervals), np.inf)
