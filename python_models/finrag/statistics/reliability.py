"""Which intervals hold less than they say: those that cover the truth in under 93 % of simulated sets.

The thresholds are those that single out such cases in `make bench BENCH=coverage`, whose table stands in
docs/coverage.md. They err on the side of a warning: many flagged intervals cover well.

A variance between clusters is poorly known when there are few of them, or when few hold most of the items, and it is
too small where the rarer outcome was seen in a handful of clusters only. Neither matters where each item is a cluster.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from finrag.statistics.clustered import ClusteredMeans

MIN_BALANCED_CLUSTERS = 10
"""Fewer clusters of equal size are too few to know the variance between them."""
MIN_RARER = 12
"""So many of the effective items need the rarer outcome, after a deduction for clusters of unequal size."""
DEPENDENT_DEFF = 1.1
"""A design effect up to this is no sign that items depend on their cluster."""
MIN_BOOTSTRAP_CLUSTERS = 20
"""Percentiles over resamples of fewer clusters lie too close together."""
MIN_SKEWED_CLUSTERS = 60
"""The same for amounts, such as dollars or seconds, of which a few are far above the others."""


def is_wilson_reliable(found: ClusteredMeans) -> np.ndarray:
    """By column, for Wilson's interval with n_eff of means between 0 and 1. False for a single cluster."""
    import numpy as np

    with np.errstate(invalid="ignore", divide="ignore"):
        rarer = found.n_eff * np.minimum(found.mean, 1 - found.mean) * found.balanced_clusters / found.n_clusters
        few = found.balanced_clusters < MIN_BALANCED_CLUSTERS
        rare = (found.deff > DEPENDENT_DEFF) & (rarer < MIN_RARER)
    return (found.n_clusters > 1) & ~((found.n > found.n_clusters) & (few | rare))


def is_bootstrap_reliable(n_clusters: int, is_skewed: bool = False) -> bool:
    """Whether there are enough clusters to resample. is_skewed: for amounts without an upper end."""
    return n_clusters >= (MIN_SKEWED_CLUSTERS if is_skewed else MIN_BOOTSTRAP_CLUSTERS)
