"""Minimum detectable effect: how small a true difference the test finds in 80 % of the cases.

One formula for values, comparisons and alerts, in clustered standard errors:

    c = (t_{1 - a/2} + t_0.8) · sqrt(G / (G - 1) · (K - 1) / K) / sqrt(m / freedom) · (1 + 4.5 / G²)

t: quantiles of Student's t at G - 1 degrees of freedom (H. S. Bloom, Minimum detectable effects, Evaluation Review 19
(1995)). K clusters, which weigh as much as G equal ones: (sum of sizes)² / sum of squared sizes. The rest is what the
test by signs (finrag.statistics.sign_flip) costs with few clusters, which made the plain formula's effects be found in
40 to 78 % of simulated sets:
- a is the largest p-value up to 0.05 that K clusters have, a multiple of 2 / 2^K; 3 / 64 with 7 of them.
- A standard error is itself estimated, mostly too low: m is the median of chi-square, at degrees of freedom that count
  clusters by their squared sizes where most of the variance is between them. And CR1 corrects for K clusters where
  unequal ones need the correction for G.
- 4.5 / G² is a margin for few clusters. Signs of normal sums find less than t by 1.5 / G²; sums that are skewed or of
  unequal clusters need the rest, so that of the designs in docs/coverage.md none is found less than 77 times of 100.

Under 7 clusters there is no test, and no effect: nan. So it is where the effect lies outside what is possible.
docs/coverage.md has the power at these effects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from finrag.statistics.reliability import is_too_rare
from finrag.statistics.sign_flip import CLUSTERS_NEEDED

if TYPE_CHECKING:
    import numpy as np

    from finrag.statistics.clustered import ClusteredMeans

LEVEL = 0.05
POWER = 0.8
FEW_CLUSTERS_MARGIN = 4.5
CLUSTERED_DEFF = 2
"""A design effect above this: as much variance between clusters as within them."""
CLUSTERS_THAT_DIFFER = 6
"""All one way they have p = 2 / 64, and five have 2 / 32: fewer are never below 0.05."""
CLUSTERS_OF_EVIDENCE = 9
"""So many that differ, all one way, for the evidence of a first build (finrag.statistics.e_values). Of eight it is 50,
half of which counts and 20 is enough, but sums of several sizes have less: with eight, effects were found in 27 to 89 %
of simulated sets of 8 to 40 clusters, with nine in 88 to 98 %."""
MOST = 1e12
"""Times as many items; more is never."""


def standard_errors_apart(
    clusters: np.ndarray, balanced: np.ndarray | None = None, varying: np.ndarray | None = None
) -> np.ndarray:
    """c of the formula above, of any shape that the two broadcast to; nan under CLUSTERS_NEEDED clusters.

    clusters: K. balanced: G, K itself if not given. varying: one more than the degrees of freedom of m, else G.
    """
    import numpy as np
    from scipy.special import gammaincinv, stdtrit

    clusters = np.asarray(clusters, float)
    clusters = np.where(clusters < CLUSTERS_NEEDED, np.nan, clusters)
    balanced = clusters if balanced is None else np.minimum(np.maximum(balanced, 2.0), clusters)
    patterns = 2.0 ** np.minimum(clusters - 1, 50)
    attainable = np.floor(LEVEL * patterns) / patterns
    freedom = balanced - 1
    of_variance = freedom if varying is None else np.maximum(varying - 1, 1.0)
    too_low = np.sqrt(2 * gammaincinv(of_variance / 2, 0.5) / of_variance)
    bias = np.sqrt(balanced / freedom * (clusters - 1) / clusters) / too_low
    quantiles = stdtrit(freedom, 1 - attainable / 2) + stdtrit(freedom, POWER)
    return quantiles * bias * (1 + FEW_CLUSTERS_MARGIN / balanced**2)


def apart(found: ClusteredMeans) -> np.ndarray:
    """c for means of clusters."""
    import numpy as np

    is_between = found.deff > CLUSTERED_DEFF
    varying = np.where(is_between, found.variance_clusters, found.balanced_clusters)
    return standard_errors_apart(found.n_clusters, found.balanced_clusters, varying)


def detectable_difference(
    standard_error: np.ndarray, clusters: np.ndarray, balanced: np.ndarray | None = None
) -> np.ndarray:
    """The smallest true difference that is found, in the unit of its standard error.

    nan where there is no test, or a standard error of 0 or nan.
    """
    import numpy as np

    standard_error = np.asarray(standard_error, float)
    return np.where(standard_error > 0, standard_errors_apart(clusters, balanced) * standard_error, np.nan)


def detectable_change(found: ClusteredMeans) -> np.ndarray:
    """The same for means between 0 and 1 against those of an independent run on as many items.

    The variance of a mean p is that of yes and no, p · (1 - p), times a ratio (ClusteredMeans.variance_ratio). A mean
    nearer to the middle varies more, so the other run counts with the variance at the effect, which solves
    d² = c² · ratio · (p · (1 - p) + (p + d) · (1 - p - d)). nan where that is beyond 0 or 1.
    """
    import numpy as np

    near = np.minimum(found.mean, 1 - found.mean)
    with np.errstate(invalid="ignore"):  # means of metrics that are no share
        q = apart(found) ** 2 * found.variance_ratio
        effect = larger_root(1 + q, q * (1 - 2 * near), -2 * q * near * (1 - near))
        effect = np.maximum(effect, np.sqrt(2 * q * near * (1 - near)))
    return np.where((effect > 0) & (effect <= 1 - near), effect, np.nan)


def detectable_fall(found: ClusteredMeans, threshold: float, times: float = 1.0) -> np.ndarray:
    """How far a share lies below a threshold whose interval is below it in 80 % of the cases; nan where beyond 0.

    found: of the items now. times: as for so many times as many, in as many clusters. Wilson's interval goes by the
    variance at the threshold, and how the share varies by that at the effect: with c = a + b, a of the level and b of
    the power, d = a · sqrt(ratio · t · (1 - t)) + b · sqrt(ratio · (t - d) · (1 - t + d)).
    """
    import numpy as np
    from scipy.special import stdtrit

    freedom = np.maximum(found.balanced_clusters - 1, 1.0)
    part = stdtrit(freedom, POWER) / (stdtrit(freedom, 1 - LEVEL / 2) + stdtrit(freedom, POWER))
    # where the rarer outcome is in too few to know how items depend on each other, they count as one per cluster
    n_independent = np.where(is_too_rare(found), found.n_clusters, found.n_independent)
    squared = apart(found) ** 2 / (times * n_independent)
    variance = threshold * (1 - threshold)
    level, power = (1 - part) * np.sqrt(squared * variance), part**2 * squared
    effect = larger_root(1 + power, 2 * level + power * (2 * threshold - 1), level**2 - power * variance)
    return np.where(effect <= threshold, effect, np.nan)


def larger_root(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Of a · d² - b · d + c = 0."""
    import numpy as np

    return (b + np.sqrt(np.maximum(b**2 - 4 * a * c, 0.0))) / (2 * a)


def detectable_mean_difference(
    found: ClusteredMeans,
    moved: np.ndarray,
    typical: np.ndarray,
    n_independent: np.ndarray,
    room: np.ndarray | float = 1.0,
    times: float = 1.0,
) -> np.ndarray:
    """The same for a mean of paired differences between -1 and 1.

    found: of the differences. moved: mean absolute difference; for outcomes of yes or no, the share of pairs that
    differ. typical: mean square / mean absolute difference, 1 where none differs. n_independent: pairs / deff; clusters
    where none differs. room: the largest difference that is possible, beyond which the effect is nan. times: as for so
    many times the pairs, in as many clusters.

    Totals under flipped signs move in steps of two pairs, and what ties with the observed one counts against it, so
    typical / n is added. A mean difference d needs pairs that differ by |d| on average. Where the formula gives more
    than moved, its standard error is not the one that holds at the effect: so few pairs differ that only more of them,
    all one way, would be found. Then the variance is typical · d - d², and d solves
    (d - typical / n)² = c² · (typical · d - d²) / n_independent. Never less than what moved, which was not enough.

    And CLUSTERS_THAT_DIFFER clusters have to differ at all: of those worth n_independent / clusters pairs each, with a
    chance of sqrt(0.8), which leaves as much for the rest.
    """
    import numpy as np

    balanced = found.balanced_clusters
    c = apart(found)
    n_independent = times * np.asarray(n_independent, float)
    with np.errstate(invalid="ignore", divide="ignore"):
        step = typical / (times * found.n)
        usual = c * found.standard_error / times**0.5 + step
        q = c**2 / n_independent
        one_way = larger_root(1 + q, 2 * step + q * typical, step**2)
        clusters = np.maximum(np.round(balanced), CLUSTERS_NEEDED)
        enough_clusters = typical * share_that_differs(clusters, n_independent / balanced, CLUSTERS_THAT_DIFFER)
        effect = np.where(usual <= moved, usual, np.maximum(one_way, moved))
        effect = np.where(enough_clusters > moved, np.maximum(effect, enough_clusters), effect)
        return np.where(np.isnan(c) | ~(effect <= room), np.nan, effect)


def share_that_differs(clusters: np.ndarray, items: np.ndarray, needed: int) -> np.ndarray:
    """The share of items that has to differ for as many of the clusters as needed, of so many items each, to have one
    that does, with a chance of sqrt(0.8)."""
    from scipy.special import betaincinv

    differing = betaincinv(needed, clusters - needed + 1, POWER**0.5)
    return 1 - (1 - differing) ** (1 / items)


def evident_mean_difference(found: ClusteredMeans, typical: np.ndarray, n_independent: np.ndarray) -> np.ndarray:
    """A mean of paired differences, all one way, for which the evidence of a first build is enough.

    The arguments: see detectable_mean_difference. nan where there are fewer than CLUSTERS_OF_EVIDENCE clusters, counted
    by their sizes, for then hardly a difference is enough, or none.
    """
    import numpy as np

    balanced = found.balanced_clusters
    clusters = np.where(np.round(balanced) < CLUSTERS_OF_EVIDENCE, np.nan, np.round(balanced))
    return typical * share_that_differs(clusters, n_independent / balanced, CLUSTERS_OF_EVIDENCE)


def times_as_many(detectable, wanted: float) -> float:
    """How many times as many items, clustered and different as these, make wanted detectable; inf where none do.

    detectable: the effect with so many times the items, a falling function.
    """
    low, high = 1 / MOST, MOST
    if not detectable(high) <= wanted:
        return float("inf")
    while high / low > 1.0001:
        middle = (low * high) ** 0.5
        low, high = (low, middle) if detectable(middle) <= wanted else (middle, high)
    return high
