"""Interval of the mean of paired differences that lie between -1 and 1.

Wilson's idea for a proportion, for a difference: the interval holds every true difference d that the observed one is
within 1.96 standard errors of, with the standard error that holds at d. A mean difference d needs pairs that
differ by |d| on average. So where d is more than what moved in the data, more pairs have to differ, each by as much as
those that did: the mean square is m2 · max(1, |d| / m1), of m1 the mean absolute difference and m2 the mean
square, and the variance that less d². Pairs that all agree have an interval too: they could differ by 1, and the bounds
are Wilson's for none of n_eff.

The effective number of pairs holds what clusters cost and that few of them, or few that outweigh the others, are
uncertain (ClusteredMeans.n_eff_balanced). In simulations (7 to 300 clusters, 2 to 60 % of pairs differing) it covers
what mean ± t standard errors covers or more, where a percentile bootstrap of clusters covers mostly 85 to 93 % up to 30
clusters. Where one cluster holds half of the pairs it covers 98 to 100 %; t of all clusters, 83 to 95 %, and 47 to 85 %
where one holds four fifths. Where the sums of clusters are skewed all fall, this to 78 % (docs/coverage.md): then
is_difference_reliable of finrag.statistics.reliability is false.

E. B. Wilson, Probable Inference, the Law of Succession, and Statistical Inference, JASA 22 (1927); T. Tango,
Equivalence test and confidence interval for the difference in proportions for the paired-sample design, Statistics in
Medicine 17 (1998), whose score interval it is for n_eff pairs but for a simpler variance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from finrag.statistics.wilson import Z

if TYPE_CHECKING:
    import numpy as np


def difference_interval(
    mean: np.ndarray, moved: np.ndarray, typical: np.ndarray, n_eff: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper 95 % bounds, elementwise; -1 and 1 where n_eff is 0.

    mean: of the differences. moved: mean absolute difference; for outcomes of yes or no, the share of pairs that
    differ. typical: mean square / mean absolute difference, how much a pair differs that does; 1 where none does.
    """
    return -_upper(-mean, moved, typical, n_eff), _upper(mean, moved, typical, n_eff)


def _upper(mean: np.ndarray, moved: np.ndarray, typical: np.ndarray, n_eff: np.ndarray) -> np.ndarray:
    """The largest d with (mean - d)² = q · (typical · max(moved, |d|) - d²), q = 1.96² / n_eff."""
    import numpy as np

    with np.errstate(invalid="ignore", divide="ignore"):
        q = Z**2 / n_eff
        within = mean**2 - (1 + q) * (mean**2 - q * typical * moved)
        bound = (mean + np.sqrt(np.maximum(within, 0))) / (1 + q)
        middle = mean + q * typical / 2
        beyond = (middle + np.sqrt(np.maximum(middle**2 - (1 + q) * mean**2, 0))) / (1 + q)
    bound = np.where(bound < moved, bound, beyond)
    return np.where(n_eff > 0, bound, 1.0)
