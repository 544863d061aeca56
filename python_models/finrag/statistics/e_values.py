"""E-values: evidence against "nothing changed" that may be looked at after every build.

An e-value is a nonnegative number whose expectation is at most 1 where the null hypothesis holds, so that 20 or more
turns up in at most 1 of 20 cases (Markov). Here it is the gain of a bet against the null, averaged over bets of every
size (a beta mixture), so that none has to be chosen:

* symmetric: each cluster's sum of differences was as likely to have the other sign, which is what the sign-flip test
  assumes. A bet of size l on cluster sum s multiplies the stake by exp(l s) / cosh(l s), whose mean over both signs
  is 1. For sums of one size that is the likelihood ratio of Beta(1/2, 1/2) against a fair coin.
* at_least: values between 0 and 1 have at least the mean t. A bet of l multiplies the stake by 1 + l (t - y).

Both take clusters to be independent. Where a second way to cluster makes the total's variance c times as large
(crossing, see finrag.statistics.clustered), every bet's gain is taken to the power of 1 / c: for totals that are about
normal that is the gain of a bet on a total of that variance, so that its mean is 1 again.

Repeated builds share their anchors and their baseline, so what they show is not independent: after an unlucky baseline
every build looks changed. The product of e-values, the usual test martingale, and the largest of them would both raise
false alarms then. A weighted sum does not: whatever the dependence, the mean of a sum is the sum of the means, so that

    e_process of t builds = sum of w_i * e_i,  w_i = 1 / (i (i + 1)),  all weights together 1,

has a mean of at most 1 however long it runs. As it never falls, one limit of 20 for it is passed at any time in at
most 1 of 20 series. The price: what one build shows counts half or less, and a change that stays is found a few builds
later. And as it never falls, metrics.alerts starts it again when a build after the limit has no evidence against the
null: what was mended would else be evidence for ever.

A. Ramdas, P. Grünwald, V. Vovk and G. Shafer, Game-theoretic statistics and safe anytime-valid inference, Statistical
Science 38 (2023); V. Vovk and R. Wang, E-values: calibration, combination and applications, Annals of Statistics 49
(2021), on sums under arbitrary dependence; V. H. de la Peña, A general class of exponential inequalities for
martingales and ratios, Annals of Probability 27 (1999), on symmetric sums; I. Waudby-Smith and A. Ramdas, Estimating
means of bounded random variables by betting, JRSS B 86 (2024).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from finrag.statistics.sign_flip import ROUNDING

if TYPE_CHECKING:
    import numpy as np

LIMIT = 20.0
"""1 / 0.05: an e-process that reaches it rejects at 5 %."""
BETS = 64
# Bets against values of exactly the threshold's upper end, where any size would be allowed.
LARGEST_BET = 1000.0


def symmetric(sums: np.ndarray, crossing: float = 1.0) -> float:
    """E-value against sums (one per cluster, of any unit) that are symmetric around 0; 1 where none differs from 0."""
    import numpy as np

    sums = np.asarray(sums, float)
    sums = sums[np.abs(sums) >= ROUNDING]
    if not len(sums):
        return 1.0
    scaled = sums / math.sqrt(float((sums**2).mean()))
    heads = _arcsine_nodes()
    bets = np.log(heads / (1 - heads)) / 2
    exponents = bets[:, None] * scaled
    # log cosh x = |x| + log(1 + exp(-2 |x|)) - log 2
    size = np.abs(exponents)
    gains = (exponents - size - np.log1p(np.exp(-2 * size)) + math.log(2)).sum(1)
    return _mean_of_exp(gains / crossing)


def at_least(values: np.ndarray, weights: np.ndarray, threshold: float, crossing: float = 1.0) -> float:
    """E-value against clusters whose mean values, between 0 and 1, are at least the threshold (above 0) on average.

    weights: items behind each value. A cluster's deviation counts by its share of the largest cluster's items.
    """
    import numpy as np

    values, weights = np.asarray(values, float), np.asarray(weights, float)
    if not len(values):
        return 1.0
    largest = min(LARGEST_BET, 1 / (1 - threshold)) if threshold < 1 else LARGEST_BET
    deviations = weights / weights.max() * (threshold - values)
    return _mean_of_exp(np.log1p(largest * _arcsine_nodes()[:, None] * deviations).sum(1) / crossing)


def weight(build: int) -> float:
    """What the e-value of a series' build counts, the first being 1; the weights of all builds add up to 1."""
    return 1 / (build * (build + 1))


def _arcsine_nodes() -> np.ndarray:
    """Points between 0 and 1 that each stand for an equal part of Beta(1/2, 1/2) (Gauss and Chebyshev's)."""
    import numpy as np

    return np.sin(np.pi * (2 * np.arange(BETS) + 1) / (4 * BETS)) ** 2


def _mean_of_exp(logs: np.ndarray) -> float:
    """Mean of exp(logs), at most 1e300."""
    import numpy as np

    top = float(logs.max())
    return float(np.exp(np.minimum(690.0, top + np.log(np.exp(logs - top).mean()))))
