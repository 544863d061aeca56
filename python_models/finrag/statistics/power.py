"""Minimum detectable effect: how small a true difference a comparison still finds.

One formula for values, comparisons and alerts: a two-sided test at 5 % finds a difference of
(t_0.975 + t_0.8) clustered standard errors in 80 % of the cases, with the quantiles of Student's t at one degree of
freedom less than there are clusters, because the standard error is itself an estimate from that many. H. S. Bloom,
Minimum detectable effects: a simple way to report the statistical power of experimental designs, Evaluation Review 19
(1995).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

LEVEL = 0.975
POWER = 0.8


def detectable_difference(standard_error: np.ndarray, clusters: np.ndarray) -> np.ndarray:
    """Smallest true difference that is found, of any shape that the two broadcast to.

    standard_error: clustered, of the difference that is tested, in its unit. clusters: G, those it was estimated from.
    nan where it cannot be told: fewer than two clusters, or a standard error of 0 or nan.
    """
    import numpy as np

    standard_error, clusters = np.asarray(standard_error, float), np.asarray(clusters, float)
    return np.where((clusters > 1) & (standard_error > 0), standard_errors_apart(clusters) * standard_error, np.nan)


def detectable_share_difference(
    standard_error: np.ndarray, clusters: np.ndarray, discordance: np.ndarray, n_eff: np.ndarray
) -> np.ndarray:
    """The same for two shares of the same items. discordance: share of the pairs that differ; n_eff: pairs / deff.

    A difference d of shares needs a discordance of at least d. Where the formula gives more than the observed
    discordance, the standard error is not the one that holds at the effect: so few pairs differ that only a change of
    more of them, all one way, would be found. Then a mean of 0s and 1s of that share has the variance d(1 - d) / n_eff,
    and d = c·sqrt(d(1 - d) / n_eff) solves to c² / (n_eff + c²); pairs that all agree have the same, n_eff their
    clusters. Never less than the observed discordance, which was not enough.
    """
    import numpy as np

    clusters, discordance = np.asarray(clusters, float), np.asarray(discordance, float)
    effect = detectable_difference(standard_error, clusters)
    one_way = standard_errors_apart(clusters) ** 2
    with np.errstate(invalid="ignore", divide="ignore"):
        one_way = np.where(clusters > 1, one_way / (np.asarray(n_eff, float) + one_way), np.nan)
    return np.where(effect <= discordance, effect, np.maximum(one_way, discordance))


def standard_errors_apart(clusters: np.ndarray) -> np.ndarray:
    """How many standard errors an effect lies from 0 that is found in 80 % of the cases; nan under two clusters."""
    import numpy as np
    from scipy.special import stdtrit

    freedom = np.asarray(clusters, float) - 1
    freedom = np.where(freedom > 0, freedom, np.nan)
    return stdtrit(freedom, LEVEL) + stdtrit(freedom, POWER)
