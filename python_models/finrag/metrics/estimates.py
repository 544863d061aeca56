"""One value with its interval and all that it takes to judge it, the same for every task.

Means of values between 0 and 1 have Wilson's interval with an effective number of items (finrag.statistics.clustered);
everything else a bootstrap over clusters, widened for few of them. Every value has an interval. Where resampling shows
no spread, which is no evidence that there is none, it is Wilson's within the range of the metric with n_eff = G; where
there is one cluster, or no spread and an end without a limit, it is the range itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from finrag.statistics.bootstrap import expanded, mean_intervals
from finrag.statistics.clustered import cluster_ways
from finrag.statistics.power import detectable_change, detectable_difference
from finrag.statistics.reliability import is_bootstrap_reliable, is_too_rare, is_wilson_reliable
from finrag.statistics.wilson import Z, wilson_interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from finrag.metrics.registry import Metric

NAN = float("nan")
SINGLE_PRECISION = 1e-6
"""Distances are stored so: one of 0 may lie a little below it, and less than this between two is no spread.

Of amounts, which have a unit of their own, the same share of the value is none."""
INDEPENDENT_RUNS = 2**0.5
"""The standard error of a difference of two independent values, in standard errors of one."""
FEWEST_RESAMPLED = 2
"""Clusters of one size that any others are worth at least: of fewer there is no resample."""
NO_TIE = 1e-9
"""A best and a worst value that differ by less are the same, up to rounding."""


class Estimate(NamedTuple):
    """A value and its columns of int_anchor_metric_values; nan for what there is none of."""

    value: float
    ci_low: float
    ci_high: float
    ci_method: str
    n_measured: int
    n_clusters: int
    n_eff: float
    deff: float
    minimum_detectable_effect: float
    is_interval_reliable: bool
    corpus_value: float = NAN
    corpus_ci_low: float = NAN
    corpus_ci_high: float = NAN
    value_best: float = NAN
    value_worst: float = NAN


def mean_estimates(
    values: np.ndarray,
    ways: Sequence[np.ndarray],
    weights: np.ndarray | None,
    metrics: Sequence[Metric],
    seed: int,
    trials: np.ndarray | None = None,
    bounds: np.ndarray | None = None,
) -> list[Estimate]:
    """One estimate per metric. values: items × metrics, nan where there is none.

    ways: one or two ways to cluster the items, an integer each (finrag.statistics.clustered).
    weights: 1 / the probability of each item to be drawn, nan without one. seed: of the bootstrap. trials: see
    clustered_means. bounds: items × metrics × 2, the values at best and at worst over tie orders.
    """
    import numpy as np

    clustering = cluster_ways(values, ways, trials=trials)
    found = clustering.means
    n_measured = (~np.isnan(values)).sum(0)
    low, high = wilson_interval(found.mean, found.n_eff)
    effect = np.where(
        [metric.has_score_interval for metric in metrics],
        np.where(is_too_rare(found), np.nan, detectable_change(found)),
        INDEPENDENT_RUNS * detectable_difference(found.standard_error, found.n_clusters, found.balanced_clusters),
    )
    is_reliable = is_wilson_reliable(found)
    corpus = (np.full(values.shape[1], np.nan),) * 3
    if weights is not None:
        *corpus, is_corpus_reliable = corpus_columns(values, ways, weights)
        is_reliable &= is_corpus_reliable
    estimates = [
        Estimate(value, lower, upper, "range" if n_clusters == 1 else "wilson", n, n_clusters, *rest)
        for value, lower, upper, n, n_clusters, *rest in zip(
            *(column.tolist() for column in (found.mean, low, high)),
            *(column.tolist() for column in (n_measured, found.n_clusters, found.n_eff, found.deff, effect)),
            is_reliable.tolist(),
            *(column.tolist() for column in corpus),
            strict=True,
        )
    ]
    if bounds is not None:
        for place, (best, worst) in enumerate(tie_bounds(bounds).tolist()):
            estimates[place] = estimates[place]._replace(value_best=best, value_worst=worst)
    resampled = [place for place, metric in enumerate(metrics) if not metric.has_score_interval]
    if resampled:
        sums = clustering.sums
        low, high = mean_intervals(sums.sums[:, resampled], sums.counts[:, resampled], seed)
        for place, lower, upper in zip(resampled, low.tolist(), high.tolist(), strict=True):
            before, crossing = estimates[place], float(found.crossing[place])
            after = resampled_estimate(
                *(metrics[place], before.value, lower, upper, before.n_measured, before.n_clusters),
                crossing=crossing,
                balanced=float(found.fewest_balanced[place]),
            )
            estimates[place] = after._replace(
                deff=before.deff, minimum_detectable_effect=before.minimum_detectable_effect
            )
    return estimates


def tie_bounds(bounds: np.ndarray) -> np.ndarray:
    """Means at best and at worst over tie orders, metrics × 2; nan where no order among equals changes the mean.

    They have no interval of their own: they bound what one figure owes to the order of hits that score alike.
    """
    import numpy as np

    is_there = ~np.isnan(bounds)
    with np.errstate(invalid="ignore"):
        means = np.where(is_there, bounds, 0.0).sum(0) / is_there.sum(0)
    return np.where(means[:, :1] - means[:, 1:] > NO_TIE, means, np.nan)


def corpus_columns(
    values: np.ndarray, ways: Sequence[np.ndarray], weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Hájek's weighted means, their intervals, and whether those are reliable.

    Items without a weight were not drawn, but added for the comparison with a baseline: they are in no weighted mean.
    """
    import numpy as np

    is_drawn = ~np.isnan(weights)
    found = cluster_ways(values[is_drawn], [way[is_drawn] for way in ways], weights[is_drawn]).means
    return (found.mean, *wilson_interval(found.mean, found.n_eff), is_wilson_reliable(found))


def resampled_estimate(
    metric: Metric,
    value: float,
    low: float,
    high: float,
    n_measured: int,
    n_clusters: int,
    n_telling: int | None = None,
    n_rarer: float | None = None,
    balanced: float | None = None,
    crossing: float = 1.0,
) -> Estimate:
    """A value whose bounds come from the bootstrap over clusters; they are nan where it shows no spread.

    n_telling: as many clusters as the value is known from, where these are fewer, as of what hangs on a rare class.
    n_rarer: in how many the rarer of right and wrong was seen, of what counts these (confusion.rarer_clusters).
    balanced: as many clusters of one size would be worth these, of the way that has fewer; all of them if not given.
    Resamples of a few large ones vary as those of so many, so that these count for how far bounds are moved apart.
    crossing: how many times as large a second way to cluster makes its variance (finrag.statistics.clustered).
    """
    if not n_measured:
        return Estimate(NAN, NAN, NAN, "bootstrap", 0, 0, NAN, NAN, NAN, False)
    lowest, highest = min(metric.range[0], value), max(metric.range[1], value)
    telling = n_clusters if n_telling is None else min(n_telling, n_clusters)
    worth = telling if balanced is None else min(telling, balanced)
    unit = abs(value) if metric.kind == "amount" else 1.0  # dollars of a call are a ten-thousandth and less
    if telling > 1 and high - low > SINGLE_PRECISION * unit:
        low, high = expanded(value, low, high, max(worth, FEWEST_RESAMPLED), (lowest, highest), crossing)
        effect = INDEPENDENT_RUNS * float(detectable_difference((high - low) / 2 / Z, telling))
        is_reliable = is_bootstrap_reliable(worth, metric.kind == "amount", n_rarer)
        return Estimate(value, low, high, "bootstrap", n_measured, n_clusters, NAN, NAN, effect, is_reliable)
    width = highest - lowest
    if telling < 2 or width == float("inf"):
        n_eff = float(telling) if telling > 1 else 0.0
        return Estimate(value, lowest, highest, "range", n_measured, n_clusters, n_eff, NAN, NAN, False)
    low, high = (float(end) for end in wilson_interval((value - lowest) / width, telling))
    bounds = (lowest + width * low, lowest + width * high)
    is_reliable = is_bootstrap_reliable(worth)
    return Estimate(value, *bounds, "wilson", n_measured, n_clusters, float(telling), NAN, NAN, is_reliable)
