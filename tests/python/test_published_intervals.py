"""Intervals of the demo warehouse computed again from its items, by statsmodels and scipy and by none of our code."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import t
from statsmodels.regression.linear_model import WLS
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.sandwich_covariance import cov_cluster_2groups


def effective(values, groups, weights, both=0.0) -> tuple[float, float, int]:
    """n_eff, design effect and number of groups.

    both: variance of the mean by all ways to group, which counts where it is the largest. For a mean of items alone,
    without weights, all weights are 1.
    """
    count, n = groups.max() + 1, len(values)
    fit = WLS(values, np.ones(n), weights)
    mean = fit.fit().params[0]
    spread = np.average((values - mean) ** 2, weights=weights)
    if count < 2 or spread < 1e-12:
        return (float(count) if count > 1 else 0.0), np.nan, count
    robust = fit.fit(cov_type="cluster", cov_kwds={"groups": groups, "df_correction": True}).bse[0] ** 2
    alone = spread / (n - 1)
    deff = (both if both > max(robust, alone) else robust) / alone
    return min(n, n / deff) * (1.959963984540054 / t.ppf(0.975, count - 1)) ** 2, deff, count


def interval(values, ways, weights=None) -> tuple[float, float, float, float, int]:
    weights = np.ones(len(values)) if weights is None else weights
    ways = [np.unique(way, return_inverse=True)[1] for way in ways]
    way = min(ways, key=lambda groups: effective(values, groups, weights)[0])
    fit = WLS(values, np.ones(len(values)), weights).fit()
    both = cov_cluster_2groups(fit, np.stack(ways, axis=1))[0][0, 0] if len(ways) > 1 else 0.0
    n_eff, deff, count = effective(values, way, weights, both)
    mean = float(np.average(values, weights=weights))
    return mean, *proportion_confint(mean * n_eff, n_eff, method="wilson"), n_eff, deff, count


@pytest.mark.parametrize(
    ("suite", "column", "metric"), [("p1", "hit", "hit"), ("p2", "rr", "mrr"), ("p3", "hit", "hit")]
)
def test_intervals_follow_from_the_items(demo, suite, column, metric):
    published = demo.rows(f"""
        select
            run_id, gold_window, variant, value, ci_low, ci_high, n_eff, deff, n_clusters,
            corpus_value, corpus_ci_low, corpus_ci_high
        from metrics.metric_values_by_run
        where
            suite = '{suite}' and metric = '{metric}' and k = 5 and is_current and task = 'retrieval'
            and population = 'covered' and stratum_by = 'overall'
    """)
    assert len(published) >= 5
    for run_id, window, predicate, *figures in published:
        items = demo.rows(f"""
            select {column}_at_5::double, cluster_id, second_cluster_id, sampling_weight from metrics.retrieval_items
            where
                run_id = '{run_id}' and gold_window = '{window}' and gold_predicate = '{predicate}'
                and is_covered and not is_error
        """)
        values, first, second, weights = (np.array(column) for column in zip(*items, strict=True))
        ways = [first] if suite == "p3" else [first, second]
        expected = interval(values, ways)
        corpus = (None,) * 3 if suite == "p3" else interval(values, ways, weights.astype(float))[:3]
        for found, meant in zip(figures, (*expected, *corpus), strict=True):
            if meant is None or np.isnan(meant):
                assert found is None
            else:
                assert found == pytest.approx(float(meant), abs=1e-9)
