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


def detectable_mean_difference(
    standard_error: np.ndarray, clusters: np.ndarray, moved: np.ndarray, typical: np.ndarray, n_independent: np.ndarray
) -> np.ndarray:
    """The same for the mean of paired differences between -1 and 1.

    moved: mean absolute difference; for outcomes of yes or no, the share of pairs that differ. typical: mean square /
    mean absolute difference, 1 where none differs. n_independent: pairs / deff; clusters where none differs.

    A mean difference d needs pairs that differ by |d| on average. Where the formula gives more than moved, its standard
    error is not the one that holds at the effect: so few pairs differ that only more of them, all one way, would be
    found. Then the variance is typical · d - d², and d = c · sqrt((typical · d - d²) / n) solves to
    c² · typical / (n + c²). Never less than what moved, which was not enough.
    """
    import numpy as np

    effect = detectable_difference(standard_error, clusters)
    squared = standard_errors_apart(clusters) ** 2
    with np.errstate(invalid="ignore", divide="ignore"):
        one_way = squared * typical / (np.asarray(n_independent, float) + squared)
    return np.where(effect <= moved, effect, np.maximum(one_way, moved))


def items_for_mean_difference(
    wanted: float,
    n: int,
    standard_error: np.ndarray,
    clusters: np.ndarray,
    moved: np.ndarray,
    typical: np.ndarray,
    n_independent: np.ndarray,
) -> np.ndarray:
    """Items with which detectable_mean_difference would be wanted, were they clustered and to differ as these n do.

    Twice as many items have standard errors smaller by the square root of 2. An effect above moved shows once so many
    items differ that the formula gives moved, or once they are enough for pairs that all differ one way, whichever is
    less. The quantiles stay those of as many clusters as now, so a little more is asked for than is needed.
    """
    import numpy as np

    squared = standard_errors_apart(clusters) ** 2
    with np.errstate(invalid="ignore", divide="ignore"):
        usual = n * squared * standard_error**2 / np.minimum(wanted, moved) ** 2
        one_way = n / n_independent * squared * (typical / wanted - 1)
    return np.where(wanted <= moved, usual, np.fmin(usual, one_way))


def standard_errors_apart(clusters: np.ndarray) -> np.ndarray:
    """How many standard errors an effect lies from 0 that is found in 80 % of the cases; nan under two clusters."""
    import numpy as np
    from scipy.special import stdtrit

    freedom = np.asarray(clusters, float) - 1
    freedom = np.where(freedom > 0, freedom, np.nan)
    return stdtrit(freedom, LEVEL) + stdtrit(freedom, POWER)
