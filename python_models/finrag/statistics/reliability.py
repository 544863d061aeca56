"""Which intervals hold less than they say: those that cover the truth in under 93 % of simulated sets.

The thresholds are those that single out such cases in `make bench BENCH=coverage`, whose table stands in
docs/coverage.md. They err on the side of a warning: many flagged intervals cover well.

A variance between clusters is poorly known when there are few of them, or when few hold most of the items, and it is
too small where the rarer outcome was seen in a handful of clusters only. Neither matters where each item is a cluster.
Few clusters of one way are not made up for by many of the other: between few, the variance is too small by chance in
many sets, and it is then that the other way counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from finrag.statistics.clustered import ClusteredMeans

MIN_ITEMS = 4
"""Where two or three independent items agree, the interval holds the truth in as little as 88 and 92 of 100 cases."""
MIN_BALANCED_CLUSTERS = 10
"""Fewer clusters of equal size are too few to know the variance between them."""
MIN_RARER = 13
"""So many of the effective items need the rarer outcome, after a deduction for clusters of unequal size."""
MIN_RARER_TO_TELL = 5
"""So many even where the design effect is small, for that to mean anything."""
DEPENDENT_DEFF = 1.1
"""A design effect up to this is no sign that items depend on their cluster."""
MIN_VARIANCE_CLUSTERS = 8
"""Fewer, counted by their squared sizes, are too few where much of the variance is that between clusters: a few large
clusters are then all that it is known from."""
UNEVEN_DEFF = 1.5
"""A design effect above this: half as much variance between clusters as within them. It comes out small by chance in
the very sets whose interval is too narrow, so that a higher limit would pass those."""
MOST_SKEWED = 0.35
"""Differences that could be more skewed have intervals and tests that hold less than they say. At 0.35, of runs with
equal means that vary differently, up to 22 % of sets are rejected, and up to 7 % without a warning."""
MIN_BOOTSTRAP_CLUSTERS = 20
"""Percentiles over resamples of fewer clusters lie too close together."""
MIN_RARER_CLUSTERS = 7
"""Fewer with the rarer of right and wrong, counted by how many they have, and resamples do not tell how much that
varies: with two of 50 headlines wrong, a seventh of the resamples has none."""
MIN_SKEWED_CLUSTERS = 60
"""The same for amounts, such as dollars or seconds, of which a few are far above the others."""


def is_wilson_reliable(found: ClusteredMeans) -> np.ndarray:
    """By column, for Wilson's interval with n_eff of means between 0 and 1. False for a single cluster."""
    few = (found.n > found.fewest_clusters) & (found.fewest_balanced < MIN_BALANCED_CLUSTERS)
    rare = (found.deff > DEPENDENT_DEFF) & is_too_rare(found)
    uneven = (found.deff > UNEVEN_DEFF) & (found.variance_clusters < MIN_VARIANCE_CLUSTERS)
    return (found.n >= MIN_ITEMS) & (found.n_clusters > 1) & ~few & ~uneven & ~rare


def is_too_rare(found: ClusteredMeans) -> np.ndarray:
    """By column: several items a cluster, and the rarer outcome in too few to know whether these depend on it."""
    import numpy as np

    with np.errstate(invalid="ignore", divide="ignore"):
        rarer = found.n_eff * np.minimum(found.mean, 1 - found.mean) * found.balanced_clusters / found.n_clusters
    needed = np.where(found.deff > DEPENDENT_DEFF, MIN_RARER, MIN_RARER_TO_TELL)
    return (found.n > found.n_clusters) & (rarer < needed)


def is_difference_reliable(
    found: ClusteredMeans, moved: np.ndarray, typical: np.ndarray, outcomes: float = 1.0
) -> np.ndarray:
    """By column, for interval and test of a mean of paired differences. False for a single cluster.

    found: of the differences. moved, typical: see finrag.statistics.difference; moved / typical is the share of pairs
    that differ, if all that do differ alike. outcomes: how many a pair is the share of, as a source of its claims; a
    cluster of one pair does not tell then whether these depend on each other.

    Runs of equal means of which one is right throughout a few clusters, and the other here and there in all, differ by
    sums that are skewed, and from few clusters the many small ones look like the rule. Most skewed are D pairs that
    differ where half of them fill clusters of m items one way, and half are single the other way. Of these the design
    effect is (m + 1) / 2, and with E = D / deff effective pairs that differ the skewness of their total is

        (m - 1) / sqrt(D / 2 * (m + 1)) = 2 * (m - 1) / (m + 1) / sqrt(E)

    How skewed they are the data do not tell, only how much they could be.
    """
    import numpy as np

    with np.errstate(invalid="ignore", divide="ignore"):
        differing = found.n_eff * moved / typical * found.balanced_clusters / found.n_clusters
        size = outcomes * found.n / found.balanced_clusters
        skewness = 2 * (size - 1) / (size + 1) / np.sqrt(differing)
    is_dependent = found.deff > (DEPENDENT_DEFF if outcomes == 1 else 0)
    is_skewed = is_dependent & (skewness > MOST_SKEWED)
    return (found.n >= MIN_ITEMS) & (found.n_clusters > 1) & ~is_skewed


def is_bootstrap_reliable(n_clusters: float, is_skewed: bool = False, n_rarer: float | None = None) -> bool:
    """Whether there are enough clusters to resample, counted by their sizes: a resample is mostly of the large ones.

    is_skewed: for amounts without an upper end. n_rarer: clusters with the rarer of right and wrong, of what counts
    these.
    """
    is_rare = n_rarer is not None and n_rarer < MIN_RARER_CLUSTERS
    return not is_rare and n_clusters >= (MIN_SKEWED_CLUSTERS if is_skewed else MIN_BOOTSTRAP_CLUSTERS)
