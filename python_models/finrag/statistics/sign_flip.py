"""Sign-flip permutation test of paired means, of clusters of pairs.

If neither run is better, what sets them apart in a cluster (a question with its wordings, a company with its anchors)
could as well have had the other sign. So the differences of a cluster are added up, and the sums change their signs:
all pairs of a cluster together, because they are not independent of each other. The p-value is
(count + 1) / (N + 1): of N other patterns of signs, count give a total at least as far from zero as the observed
one, which is a pattern too. N is all there are for few clusters, and for many whose sums are whole numbers, as of hits:
these have few totals, and how many patterns give each follows cluster by cluster. Otherwise N is some thousand random
ones. No p-value is 0; none of many clusters is below what so many random patterns would have it.

What has to hold: clusters are independent of each other, and without a true difference a cluster's sum is as likely to
be x as -x. That is exact where the labels of the two runs could be exchanged within a cluster, and it needs no
equal sizes: sums of large clusters weigh more, as their items do in the mean. Where the runs differ in other ways than
the mean, sums can be skewed, and the test is exact only for many clusters that none outweighs (J. P. Romano, On the
behavior of randomization tests without a group invariance assumption, JASA 85 (1990)): of 12 to 60 clusters it rejects
up to 22 % of simulated sets (docs/coverage.md), of which finrag.statistics.reliability warns (is_difference_reliable).
Totals that tie with the observed one count as far away as it is, so the test errs on the safe side where outcomes are
discrete; with k clusters that differ no p-value is below 2 / 2^k.

Where items are clustered by company and by repeated text, the sums of one way are not independent of each other by the
other. Totals under flipped signs then vary less than the observed one by the factor of finrag.statistics.clustered
(crossing, of variances), and are taken to be as much farther from zero.

Under CLUSTERS_NEEDED clusters the smallest possible p-value is above 0.03, and no correction for several tests would
leave it below 0.05. There is none then: nan.

B. Phipson and G. K. Smyth, Permutation P-values should never be zero, SAGMB 9 (2010); I. A. Canay, J. P. Romano and
A. M. Shaikh, Randomization tests under an approximate symmetry assumption, Econometrica 85 (2017), on clusters.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from finrag.statistics.clustered import Clustering

PATTERNS = 10_000
# Up to so many clusters that differ, all patterns (2 to the power of it, at most 8,192) are tried.
EXACT_CLUSTERS = 13
CLUSTERS_NEEDED = 7
# Up to so many totals of whole numbers are counted, which takes 0.1 ms per hundred clusters and hundred of these.
MOST_TOTALS = 20_000
# Flips drawn at a time, 8 bytes each.
FLIPS_PER_BATCH = 200_000
# Differences below this are rounding, and so are those between two totals.
ROUNDING = 1e-12


def sign_flip_of_ways(clustering: Clustering, seed: int) -> np.ndarray:
    """p-values of differences. Too few clusters one way are not made up for by the other way."""
    import numpy as np

    sums, means = clustering.sums, clustering.means
    p_values = sign_flip(sums.sums, sums.counts, seed, crossing=means.crossing)
    return np.where(means.fewest_clusters < CLUSTERS_NEEDED, np.nan, p_values)


def clusters_that_differ(clustering: Clustering) -> np.ndarray:
    """By column, those whose signs are flipped: k of them have no p-value below 2 / 2^k."""
    import numpy as np

    return (np.abs(clustering.sums.sums) >= ROUNDING).sum(0)


def sign_flip(
    sums: np.ndarray,
    counts: np.ndarray,
    seed: int,
    patterns: int = PATTERNS,
    crossing: np.ndarray | None = None,
) -> np.ndarray:
    """Two-sided p-values, per column; nan under CLUSTERS_NEEDED clusters with pairs, 1 where no cluster differs.

    sums: clusters × columns, of the differences of a cluster's pairs, b minus a. counts: how many pairs these are.
    crossing: per column, how many times as much as independent sums' the variance of their total is, 1 or more.
    Columns with as many clusters have the same random signs.
    """
    import numpy as np

    sums = np.where(np.abs(sums) < ROUNDING, 0.0, sums)
    observed = np.abs(sums.sum(0))
    if crossing is not None:
        observed = observed / np.sqrt(crossing)
    p_values = np.where((counts > 0).sum(0) < CLUSTERS_NEEDED, np.nan, 1.0)
    differing = np.where(np.isnan(p_values), 0, (sums != 0).sum(0))
    few = np.flatnonzero((differing > 0) & (differing <= EXACT_CLUSTERS))
    # columns that together differ in few clusters are tried together
    together = [few] if (sums[:, few] != 0).any(1).sum() <= EXACT_CLUSTERS else few[:, None]
    for columns in together:
        if len(columns):
            p_values[columns] = exact_p_values(sums[:, columns], observed[columns])
    are_counted = (sums == np.rint(sums)).all(0) & (np.abs(sums).sum(0) < MOST_TOTALS)
    for column in np.flatnonzero((differing > EXACT_CLUSTERS) & are_counted):
        p_values[column] = max(counted_p_value(sums[:, column], observed[column]), 1 / (patterns + 1))
    sampled = np.flatnonzero((differing > EXACT_CLUSTERS) & ~are_counted)
    if len(sampled):
        p_values[sampled] = sampled_p_values(sums[:, sampled], observed[sampled], seed, patterns)
    return p_values


def exact_p_values(sums: np.ndarray, observed: np.ndarray) -> np.ndarray:
    """Of all patterns of the clusters that differ; the others leave every total as it is."""
    sums = sums[(sums != 0).any(1)]
    totals = all_patterns(len(sums)) @ sums
    # the observed pattern is among them: count + 1 of N + 1
    return is_at_least_as_far(totals, observed).sum(0) / len(totals)


def counted_p_value(sums: np.ndarray, observed: float) -> float:
    """The same of one column of whole numbers, from the shares of all patterns that flip as much in all."""
    import numpy as np

    sizes = np.abs(sums[sums != 0]).astype(int)
    shares = np.zeros(sizes.sum() + 1)
    shares[0] = 1
    for size in sizes:
        shares /= 2
        shares[size:] += shares[:-size]
    totals = sizes.sum() - 2 * np.arange(len(shares))
    return float(shares[is_at_least_as_far(totals, observed)].sum())


def sampled_p_values(sums: np.ndarray, observed: np.ndarray, seed: int, patterns: int) -> np.ndarray:
    import numpy as np

    total = sums.sum(0)
    generator = np.random.default_rng(seed)
    batch = max(8, FLIPS_PER_BATCH // len(sums) // 8 * 8)
    count = np.zeros(sums.shape[1])
    for first in range(0, patterns, batch):
        size = min(batch, patterns - first)
        # one bit per cluster and pattern: whether the sum is flipped, which takes it from the total twice
        bits = np.frombuffer(generator.bytes(-(-size * len(sums) // 8)), np.uint8)
        flips = np.unpackbits(bits, count=size * len(sums)).reshape(size, -1).astype(float)
        count += is_at_least_as_far(total - 2 * (flips @ sums), observed).sum(0)
    return (count + 1) / (patterns + 1)


def is_at_least_as_far(totals: np.ndarray, observed: np.ndarray | float) -> np.ndarray:
    """Whether each total is as far from zero as the observed distance, up to rounding."""
    import numpy as np

    distances = np.abs(totals)
    return distances >= observed - ROUNDING * np.maximum(1, distances.max())


@lru_cache(maxsize=EXACT_CLUSTERS)
def all_patterns(clusters: int) -> np.ndarray:
    """Patterns of +1 and -1, 2^(clusters - 1) × clusters: all with a first +1, as the others are their opposites."""
    import numpy as np

    return ((np.arange(2 ** (clusters - 1))[:, None] << 1 >> np.arange(clusters)) & 1) * -2.0 + 1.0
