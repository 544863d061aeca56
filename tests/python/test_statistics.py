"""Intervals and tests against scipy and statsmodels, by hand, and by simulation."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats
from statsmodels.regression.linear_model import OLS, WLS
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.power import TTestPower
from statsmodels.stats.proportion import proportion_confint

from finrag.statistics import bootstrap, clustered, sign_flip
from finrag.statistics.mcnemar import mcnemar_exact
from finrag.statistics.power import detectable_difference, detectable_share_difference
from finrag.statistics.wilson import wilson_interval


def test_wilson_is_statsmodels():
    pairs = [(x, n) for n in (1, 2, 7, 60, 600, 10**6) for x in {0, 1, n // 3, n - 1, n}]
    successes, n = (np.array(values) for values in zip(*pairs, strict=True))
    low, high = wilson_interval(successes / n, n)
    expected = proportion_confint(successes, n, method="wilson")
    assert np.allclose(low, expected[0], atol=1e-12) and np.allclose(high, expected[1], atol=1e-12)
    assert low.min() >= 0 and high.max() <= 1


def test_wilson_of_nothing_is_the_whole_range_or_no_interval():
    low, high = wilson_interval(np.array([0.3, 1.0, np.nan]), np.array([0.0, 0.0, 0.0]))
    assert low[:2].tolist() == [0, 0] and high[:2].tolist() == [1, 1]
    assert np.isnan(low[2]) and np.isnan(high[2])


def test_clustered_means_by_hand():
    # clusters (1, 1), (0, 0), (1, 0): mean 1/2, deviations of the sums 1, -1, 0.
    # variance 3/2 * 2 / 36 = 1/12; s^2 = (6 * 1/4) / 5 = 0.3, naive 0.3 / 6 = 1/20; deff 5/3; n_eff 3.6 * (z / t)^2
    values = np.array([1.0, 1, 0, 0, 1, 0])[:, None]
    found = clustered.clustered_means(values, np.array([4, 4, 7, 7, 9, 9]))
    assert found.mean == pytest.approx(0.5) and found.variance == pytest.approx(1 / 12)
    assert found.naive_variance == pytest.approx(1 / 20) and found.deff == pytest.approx(5 / 3)
    assert found.n_clusters.tolist() == [3] and found.n.tolist() == [6]
    assert found.n_eff == pytest.approx(3.6 * (1.959963984540054 / 4.302652729696142) ** 2)
    assert found.standard_error == pytest.approx((1 / 12) ** 0.5)


def test_weighted_means_by_hand():
    # y 1, 0, 1 with weights 1, 2, 1 in clusters a, a, b: mean 1/2; deviations a 1 * 1/2 - 2 * 1/2 = -1/2, b 1/2.
    # variance 2/1 * (1/4 + 1/4) / 16 = 1/16; naive (1/4) / (3 - 1) = 1/8
    values = np.array([1.0, 0, 1])[:, None]
    found = clustered.clustered_means(values, np.array([0, 0, 1]), np.array([1.0, 2, 1]))
    assert found.mean == pytest.approx(0.5) and found.variance == pytest.approx(1 / 16)
    assert found.naive_variance == pytest.approx(1 / 8) and found.deff == pytest.approx(0.5)
    # never more than there are, here 3
    assert found.n_eff == pytest.approx(3 * (1.959963984540054 / 12.706204736174698) ** 2)


@pytest.mark.parametrize("is_weighted", [False, True])
def test_clustered_means_are_statsmodels(is_weighted):
    generator = np.random.default_rng(5)
    clusters = generator.integers(0, 25, 300)
    values = (generator.random((300, 3)) + generator.random(25)[clusters, None]) / 2
    values[:, 0] = values[:, 0] > 0.5
    values[generator.random(300) < 0.2, 2] = np.nan
    weights = generator.integers(1, 9, 300).astype(float) if is_weighted else None
    found = clustered.clustered_means(values, clusters, weights)
    for column in range(3):
        kept = ~np.isnan(values[:, column])
        y, constant = values[kept, column], np.ones((kept.sum(), 1))
        model = WLS(y, constant, weights[kept]) if is_weighted else OLS(y, constant)
        robust = model.fit(cov_type="cluster", cov_kwds={"groups": clusters[kept], "df_correction": True})
        assert found.mean[column] == pytest.approx(robust.params[0])
        assert found.variance[column] == pytest.approx(robust.bse[0] ** 2)
        if not is_weighted:
            assert found.naive_variance[column] == pytest.approx(model.fit().bse[0] ** 2)
            assert found.deff[column] == pytest.approx((robust.bse[0] / model.fit().bse[0]) ** 2)


def test_items_that_are_alike_count_as_clusters():
    # all right; all the same share; one cluster; none at all
    values = np.array([[1, 0.1, 1, np.nan], [1, 0.1, 0, np.nan], [1, 0.1, np.nan, np.nan], [1, 0.1, np.nan, np.nan]])
    found = clustered.clustered_means(values, np.array([0, 0, 1, 2]))
    assert found.n_eff.tolist() == [3, 3, 0, 0]
    assert found.n_clusters.tolist() == [3, 3, 1, 0]
    assert np.isnan(found.deff).all() and np.isnan(found.standard_error).all()
    # one answer per cluster: each is worth one item
    alone = clustered.clustered_means(np.array([[1.0], [0], [1], [1]]), np.arange(4))
    assert alone.deff == pytest.approx(1)
    assert clustered.clustered_means(np.zeros((0, 2)), np.zeros(0, int)).n_eff.tolist() == [0, 0]


def test_the_way_with_fewer_effective_items_counts():
    values = np.array([1.0, 1, 0, 0])[:, None]
    paired, alone = (clustered.clustered_means(values, np.array(ids)) for ids in ([0, 0, 1, 1], [0, 1, 2, 3]))
    for found in (clustered.fewer_effective(paired, alone), clustered.fewer_effective(alone, paired)):
        assert found.n_clusters.tolist() == [2] and found.deff.tolist() == paired.deff.tolist()


def test_mcnemar_is_statsmodels():
    pairs = [*itertools.product(range(0, 25, 3), range(0, 25, 4)), (200, 260)]
    a_only, b_only = (np.array(values) for values in zip(*pairs, strict=True))
    expected = [mcnemar([[9, a], [b, 9]], exact=True).pvalue for a, b in pairs]
    assert np.allclose(mcnemar_exact(a_only, b_only), expected, atol=1e-12)


def test_mcnemar_by_hand():
    # 0 against 5: 2 / 2^5. Nothing differs: 1.
    assert mcnemar_exact(np.array([0, 0]), np.array([5, 0])).tolist() == pytest.approx([0.0625, 1.0])


def test_sign_flip_by_hand():
    # +1 +1 +1: 2 of 8 patterns are as far out. +1 -1: every pattern. A zero changes nothing. No pair differs: 1.
    differences = np.array([[1.0, 1, 1, 0], [1, -1, 1, 0], [1, 0, 1, 0], [0, 0, 0, 0]])
    assert sign_flip.sign_flip(differences, seed=1).tolist() == [0.25, 1.0, 0.25, 1.0]


@pytest.mark.parametrize("pairs", [3, 8, 13])
def test_few_pairs_are_enumerated_as_scipy_does(pairs):
    differences = np.random.default_rng(pairs).choice([-0.5, -1 / 3, 0.25, 0.5, 1.0], size=(pairs, 6))
    expected = [
        stats.permutation_test((column,), np.sum, permutation_type="samples", n_resamples=np.inf).pvalue
        for column in differences.T
    ]
    assert np.allclose(sign_flip.sign_flip(differences, seed=1), expected, atol=1e-12)


def test_many_pairs_are_sampled():
    generator = np.random.default_rng(3)
    differences = np.column_stack([generator.normal(shift, 1, 60) for shift in (0, 0.2, 0.35, 2)])
    differences[20:25] = 0
    ours = sign_flip.sign_flip(differences, seed=5)
    expected = stats.permutation_test(
        (differences,), lambda x, axis: x.sum(axis), permutation_type="samples", n_resamples=50_000, rng=1
    ).pvalue
    assert np.allclose(ours, expected, atol=4 * np.sqrt(0.25 / 10_000))
    assert ours[3] == 1 / 10_001  # never 0
    assert (ours == sign_flip.sign_flip(differences, seed=5)).all()


def test_sampled_and_enumerated_agree(monkeypatch):
    differences = np.random.default_rng(8).normal(0.3, 1, (12, 5))
    exact = sign_flip.sign_flip(differences, seed=1)
    monkeypatch.setattr(sign_flip, "EXACT_PAIRS", 0)
    assert np.allclose(sign_flip.sign_flip(differences, seed=1), exact, atol=0.02)


def test_sign_flip_holds_its_level():
    differences = np.random.default_rng(4).normal(0, 1, (40, 400)) * np.random.default_rng(5).integers(0, 2, (40, 400))
    share = (sign_flip.sign_flip(differences, seed=2) <= 0.05).mean()
    assert 0.02 <= share <= 0.08


def test_bootstrap_means_are_those_of_plain_resampling():
    """The matrix product against drawing clusters one by one, from the same draws."""
    generator = np.random.default_rng(1)
    clusters, values = generator.integers(0, 9, 50), generator.random(50)
    sums = np.bincount(clusters, values, minlength=9)[:, None]
    counts = np.bincount(clusters, minlength=9)[:, None].astype(float)
    weights = np.vstack(list(bootstrap.resample_weights(9, seed=7)))
    assert weights.shape == (2000, 9) and (weights.sum(1) == 9).all()
    means = []
    for row in weights.astype(int):
        drawn = np.concatenate([values[clusters == cluster] for cluster in np.repeat(np.arange(9), row)])
        means.append(drawn.mean())
    low, high = bootstrap.mean_intervals(sums, counts, seed=7)
    assert np.allclose([low[0], high[0]], np.quantile(means, [0.025, 0.975]), atol=1e-12)


def test_bootstrap_percentiles_are_those_of_plain_resampling():
    """The bisection against the percentiles of 2,000 pooled, sorted resamples."""
    generator = np.random.default_rng(2)
    clusters = generator.integers(0, 12, 300)
    values = np.round(generator.gamma(2, 1, 300), 1)  # with ties
    order = np.argsort(values, kind="stable")
    values, clusters = values[order], clusters[order]
    resampled = []
    for row in np.vstack(list(bootstrap.resample_weights(12, seed=11))).astype(int):
        drawn = np.repeat(values, row[clusters])
        resampled.append([bootstrap.pooled_percentile(drawn, share) for share in (0.1, 0.5, 0.9)])
    expected = np.quantile(np.array(resampled), [0.025, 0.975], axis=0, method="inverted_cdf")
    low, high = bootstrap.percentile_intervals(values, clusters, 12, [0.1, 0.5, 0.9], seed=11)
    assert np.allclose([low, high], expected, atol=1e-12)


def test_percentiles_are_discrete():
    assert [bootstrap.pooled_percentile(np.arange(1.0, 11), share) for share in (0.1, 0.5, 0.9)] == [1, 5, 9]
    assert bootstrap.pooled_percentile(np.array([3.0]), 0.1) == 3


@pytest.mark.parametrize(
    ("sums", "counts"),
    [
        ([[3.0]], [[4.0]]),  # one cluster
        ([[3.0], [0.0]], [[4.0], [0.0]]),  # one with values
        ([[1.0], [2.0], [3.0]], [[1.0], [2.0], [3.0]]),  # all alike
        (np.zeros((0, 1)), np.zeros((0, 1))),  # none
    ],
)
def test_no_spread_is_no_interval(sums, counts):
    low, high = bootstrap.mean_intervals(np.array(sums), np.array(counts), seed=1)
    assert np.isnan(low).all() and np.isnan(high).all()


def test_percentiles_without_spread_have_no_interval():
    for values, clusters in (([], []), ([1.0, 2.0], [0, 0]), ([1.0, 1.0], [0, 1])):
        bounds = bootstrap.percentile_intervals(np.array(values), np.array(clusters, int), 2, [0.5], seed=1)
        assert np.isnan(bounds).all()


def test_clusters_widen_the_interval():
    """Items that repeat each other within a cluster: as uncertain as the clusters are few."""
    per_cluster = np.random.default_rng(3).random(30)
    clustered = bootstrap.mean_intervals(20 * per_cluster[:, None], np.full((30, 1), 20.0), seed=1)
    single = bootstrap.mean_intervals(np.repeat(per_cluster, 20)[:, None], np.ones((600, 1)), seed=1)
    assert clustered[1][0] - clustered[0][0] > 3 * (single[1][0] - single[0][0])


def test_intervals_cover_the_truth():
    """95 % intervals of 1,200 simulated samples, 40 clusters of unequal size whose items share an effect."""
    generator = np.random.default_rng(12)
    covered = []
    for _ in range(30):
        sizes = generator.integers(1, 30, 40)
        effects = np.repeat(generator.normal(0, 0.3, (40, 40)), sizes, axis=0)
        values = 0.5 + effects + generator.normal(0, 0.3, (sizes.sum(), 40))
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        sums = np.add.reduceat(values, starts, axis=0)
        low, high = bootstrap.mean_intervals(sums, np.repeat(sizes[:, None], 40, axis=1).astype(float), seed=9)
        covered.append((low <= 0.5) & (high >= 0.5))
    assert 0.92 <= np.mean(covered) <= 0.98


def test_batches_of_resamples_do_not_change_what_they_are(monkeypatch):
    monkeypatch.setattr(bootstrap, "DRAWS_PER_BATCH", 100)
    weights = list(bootstrap.resample_weights(30, seed=1, resamples=10))
    assert [len(batch) for batch in weights] == [3, 3, 3, 1]
    assert all((batch.sum(1) == 30).all() for batch in weights)
    generator = np.random.default_rng(1)
    values, clusters = np.sort(generator.random(90)), generator.integers(0, 30, 90)
    low, high = bootstrap.percentile_intervals(values, clusters, 30, [0.5], seed=1)
    assert low[0] < np.median(values) < high[0]


def test_seeds_are_stable():
    assert bootstrap.seed_of("section_id", "ITEM_7") == bootstrap.seed_of("section_id", "ITEM_7")
    assert bootstrap.seed_of("section_id", "ITEM_7") != bootstrap.seed_of("section_id", "ITEM_7A")


def test_detectable_difference_by_hand():
    """G = 10: t(9) has 2.262157 at 97.5 % and 0.883404 at 80 %; z has 1.959964 and 0.841621."""
    few, many = detectable_difference(np.array([0.1, 0.1]), np.array([10, 10**9]))
    assert few == pytest.approx(0.3145561, abs=1e-6) and many == pytest.approx(0.2801585, abs=1e-6)
    assert np.isnan(detectable_difference(np.array([0.1, 0.0, np.nan]), np.array([1, 50, 50]))).all()


@pytest.mark.parametrize("clusters", [8, 20, 150])
def test_detectable_difference_is_found_in_80_percent(clusters):
    """The noncentral t distribution has the power of the t test at the effect."""
    effect = detectable_difference(np.array(0.4 / np.sqrt(clusters)), np.array(clusters))
    power = TTestPower().power(effect / 0.4, clusters, 0.05)
    assert power == pytest.approx(0.8, abs=0.01)


def test_detectable_share_difference_by_hand():
    """400 pairs, each a cluster (c = 1.965927 + 0.842522). 100 differ: the formula as it is. 4 differ, 0.01: it would
    give 0.014, more than all that differ; one way it takes c² / (400 + c²). None of 50 clusters differs: the same rule.
    """
    c = 1.9659273 + 0.8425218
    discordance = np.array([0.25, 0.01])
    found = detectable_share_difference(
        np.sqrt(discordance / 400), np.array([400, 400]), discordance, np.array([400, 400])
    )
    assert found == pytest.approx([c * 0.5 / 20, c**2 / (400 + c**2)], rel=1e-5)
    none = detectable_share_difference(np.array([np.nan]), np.array([50]), np.array([0.0]), np.array([50]))
    c = 2.0095752 + 0.8490205
    assert none == pytest.approx([c**2 / (50 + c**2)], rel=1e-5)
