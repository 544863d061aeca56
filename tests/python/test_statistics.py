"""Intervals and tests against scipy and statsmodels, by hand, and by simulation."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy import stats
from statsmodels.regression.linear_model import OLS, WLS
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.sandwich_covariance import cov_cluster_2groups

from finrag.statistics import bootstrap, clustered, sign_flip
from finrag.statistics.difference import difference_interval
from finrag.statistics.power import (
    detectable_change,
    detectable_difference,
    detectable_fall,
    detectable_mean_difference,
    times_as_many,
)
from finrag.statistics.reliability import is_bootstrap_reliable, is_difference_reliable, is_wilson_reliable
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


def test_pooled_shares_are_those_of_the_outcomes_written_out():
    # texts with 3 of 4, 0 of 2 and 1 of 1 true claims; the first two of one source. And a column of single values.
    shares, trials = np.array([[0.75, 0.2], [0.0, 0.4], [1.0, 0.9]]), np.array([[4, np.nan], [2, np.nan], [1, np.nan]])
    pooled = clustered.clustered_means(shares, np.array([0, 0, 1]), trials=trials)
    claims = clustered.clustered_means(np.array([[1.0], [1], [1], [0], [0], [0], [1]]), np.array([0] * 6 + [1]))
    single = clustered.clustered_means(shares[:, 1:], np.array([0, 0, 1]))
    assert pooled.mean[0] == pytest.approx(4 / 7)
    for name in ("mean", "variance", "naive_variance", "deff", "n_eff", "n"):
        both = [getattr(claims, name)[0], getattr(single, name)[0]]
        assert getattr(pooled, name).tolist() == pytest.approx(both), name


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
    paired = clustered.clustered_means(values, np.array([0, 0, 1, 1]))
    for ways in ([0, 0, 1, 1], [0, 1, 2, 3]), ([0, 1, 2, 3], [0, 0, 1, 1]):
        clustering = clustered.cluster_ways(values, [np.array(way) for way in ways])
        found, sums = clustering.means, clustering.sums
        assert found.n_clusters.tolist() == [2] and found.deff == pytest.approx(paired.deff)
        assert found.crossing == pytest.approx(1) and found.fewest_clusters.tolist() == [2]
        assert sums.sums.tolist() == [[2], [0], [0], [0]] and sums.counts.tolist() == [[2], [2], [0], [0]]


@pytest.mark.parametrize("is_weighted", [False, True])
def test_two_ways_to_cluster_are_statsmodels(is_weighted):
    """Cameron, Gelbach and Miller's variance."""
    generator = np.random.default_rng(8)
    companies, texts = generator.integers(0, 20, 400), generator.integers(0, 30, 400)
    parts = generator.standard_normal((20, 3))[companies] + generator.standard_normal((30, 3))[texts] * [1, 2, 0.5]
    values = parts + generator.standard_normal((400, 3))
    values[generator.random(400) < 0.2, 2] = np.nan
    weights = generator.integers(1, 9, 400).astype(float) if is_weighted else None
    found = clustered.cluster_ways(values, [companies, texts], weights).means
    for column in range(3):
        kept = ~np.isnan(values[:, column])
        y, constant = values[kept, column], np.ones((kept.sum(), 1))
        model = WLS(y, constant, weights[kept]) if is_weighted else OLS(y, constant)
        both, _, _ = cov_cluster_2groups(model.fit(), np.stack([companies, texts], axis=1)[kept])
        assert found.crossing[column] > 1 and found.variance[column] == pytest.approx(both[0, 0])
        assert found.deff[column] == pytest.approx(both[0, 0] / found.naive_variance[column])


def test_two_ways_by_hand():
    """Four cells of two companies and two texts, two items each, 4 of them 1: both ways matter, and neither alone."""
    companies, texts = np.repeat([0, 0, 1, 1], 2), np.repeat([0, 1, 0, 1], 2)
    values = np.array([1.0, 1, 1, 0, 1, 0, 0, 0])[:, None]
    clustering = clustered.cluster_ways(values, [companies, texts])
    found, sums = clustering.means, clustering.sums
    # sums of deviations from 1/2: companies 1 and -1, so texts; cells 1, 0, 0 and -1
    way, cells = 2 * (1 + 1) / 64, 4 / 3 * (1 + 1) / 64
    assert found.variance == pytest.approx(2 * way - cells) and found.crossing == pytest.approx(4 / 3)
    naive = 1 / 4 / 7
    assert found.deff == pytest.approx((2 * way - cells) / naive)
    assert sums.sums.tolist() == [[3], [1]] and found.n_clusters.tolist() == [2]
    # clusters inside of clusters: the outer ones alone
    nested = clustered.cluster_ways(values, [companies, np.arange(8)]).means
    alone = clustered.clustered_means(values, companies)
    assert nested.variance == alone.variance and nested.n_eff == alone.n_eff and nested.crossing.tolist() == [1]


def test_companies_and_repeated_texts_together_are_covered_and_keep_the_level():
    """1,000 sets of 300 items in 30 companies and 20 texts: one way alone covers 92 % and rejects 7 %."""
    generator = np.random.default_rng(1)
    companies, texts = generator.integers(0, 30, 300), generator.integers(0, 20, 300)
    parts = [0.2**0.5 * generator.standard_normal((n, 1000))[ids] for n, ids in ((30, companies), (20, texts))]
    latent = sum(parts) + 0.6**0.5 * generator.standard_normal((300, 1000))
    halves = clustered.cluster_ways((latent < 0).astype(float), [companies, texts]).means
    low, high = wilson_interval(halves.mean, halves.n_eff)
    alone_low, alone_high = wilson_interval(halves.mean, halves.n_eff * halves.crossing)
    assert ((low <= 0.5) & (high >= 0.5)).mean() > 0.94
    assert ((alone_low <= 0.5) & (alone_high >= 0.5)).mean() < 0.94
    differences = (latent > 1).astype(float) - (latent < -1)
    clustering = clustered.cluster_ways(differences, [companies, texts])
    assert (sign_flip.sign_flip_of_ways(clustering, 1) <= 0.05).mean() < 0.055
    assert (sign_flip.sign_flip(clustering.sums.sums, clustering.sums.counts, 1) <= 0.05).mean() > 0.06


def test_totals_are_farther_where_two_ways_cross():
    """Eight clusters of 1 and one of -3: a total of 5; with crossing 4 as if it were 2.5."""
    sums = np.array([1.0] * 8 + [-3])[:, None]
    totals = np.array([[sign @ sums[:, 0]] for sign in product([1, -1], repeat=9)])
    for crossing, distance in ((None, 5), (np.array([4.0]), 2.5)):
        expected = (np.abs(totals) >= distance).mean()
        assert sign_flip.sign_flip(sums, np.ones((9, 1)), 1, crossing=crossing) == pytest.approx(expected)


def flipped(differences: np.ndarray, clusters=None, seed: int = 1) -> np.ndarray:
    """p-values of pairs × columns; every pair its own cluster unless told otherwise."""
    sums = clustered.cluster_sums(differences, np.arange(len(differences)) if clusters is None else clusters)
    return sign_flip.sign_flip(sums.sums, sums.counts, seed)


def test_sign_flip_by_hand():
    """Seven clusters. Four differ, all one way: 2 of 16 patterns are as far out. +1 -1: every pattern. None: 1."""
    differences = np.zeros((7, 4))
    differences[:4, 0] = 1
    differences[:2, 1] = 1, -1
    differences[:, 2] = 1
    assert flipped(differences).tolist() == [2 / 16, 1.0, 2 / 128, 1.0]


def test_clusters_are_flipped_and_not_their_pairs():
    """Seven clusters of three pairs, all +1: 2 of 128 patterns of clusters, where pairs alone would have 2 of 2^21.

    Pairs that cancel within a cluster leave nothing to flip.
    """
    clusters = np.repeat(np.arange(7), 3)
    differences = np.column_stack([np.ones(21), np.where(np.arange(21) % 3 == 0, 1.0, -0.5)])
    assert flipped(differences, clusters).tolist() == [2 / 128, 1.0]


def test_under_seven_clusters_there_is_no_p_value():
    """Clusters count that have a pair: of the second column only six have."""
    differences = np.column_stack([np.ones(7), np.append(np.ones(6), np.nan)])
    assert flipped(differences)[0] == 2 / 128 and np.isnan(flipped(differences)[1])
    assert np.isnan(flipped(np.zeros((6, 1)))).all()


@pytest.mark.parametrize("clusters", [7, 10, 13])
def test_few_clusters_are_enumerated_as_scipy_does(clusters):
    generator = np.random.default_rng(clusters)
    differences = generator.choice([-0.5, -1 / 3, 0.25, 0.5, 1.0], size=(5 * clusters, 6))
    numbers = np.append(np.arange(clusters), generator.integers(0, clusters, 4 * clusters))
    sums = np.array([differences[numbers == number].sum(0) for number in range(clusters)])
    expected = [
        stats.permutation_test((column,), np.sum, permutation_type="samples", n_resamples=np.inf).pvalue
        for column in sums.T
    ]
    assert np.allclose(flipped(differences, numbers), expected, atol=1e-12)


def test_many_clusters_are_sampled():
    generator = np.random.default_rng(3)
    differences = np.column_stack([generator.normal(shift, 1, 60) for shift in (0, 0.2, 0.35, 2)])
    differences[20:25] = 0
    ours = flipped(differences, seed=5)
    expected = stats.permutation_test(
        (differences,), lambda x, axis: x.sum(axis), permutation_type="samples", n_resamples=50_000, rng=1
    ).pvalue
    assert np.allclose(ours, expected, atol=4 * np.sqrt(0.25 / 10_000))
    assert ours[3] == 1 / 10_001  # never 0
    assert (ours == flipped(differences, seed=5)).all()


def test_whole_sums_of_many_clusters_are_counted():
    """15 of 20 clusters gain one and 5 lose one: the binomial test of 15 of 20, 43,400 of 2^20 patterns."""
    differences = np.repeat([1.0, -1.0], [15, 5])[:, None]
    assert flipped(differences) == pytest.approx(43_400 / 2**20, rel=1e-12)
    assert flipped(differences) == pytest.approx(stats.binomtest(15, 20).pvalue, rel=1e-12)
    # never 0, nor less than random patterns say of the metric beside it
    assert flipped(np.ones((2000, 2)) * [1, 0.5]) == pytest.approx(1 / 10_001, rel=1e-12)


@pytest.mark.parametrize("crossing", [None, np.array([1.7, 1.0, 1.3])])
def test_counted_and_enumerated_agree(crossing):
    """Sums of one size and of many, 14 to 16 of which differ, against all 2^16 patterns written out."""
    generator = np.random.default_rng(12)
    sums = np.column_stack([generator.choice([-1, 1], 16), *generator.integers(-9, 12, (2, 16))]).astype(float)
    totals = np.array(list(product((1, -1), repeat=16))) @ sums
    distance = np.abs(sums.sum(0)) / np.sqrt(1 if crossing is None else crossing)
    expected = (np.abs(totals) >= distance - 1e-9).mean(0)
    assert (expected > 0.001).all()
    assert np.allclose(sign_flip.sign_flip(sums, np.ones((16, 3)), 1, crossing=crossing), expected, atol=1e-12)


def test_sampled_and_enumerated_agree(monkeypatch):
    differences = np.random.default_rng(8).normal(0.3, 1, (12, 5))
    exact = flipped(differences)
    monkeypatch.setattr(sign_flip, "EXACT_CLUSTERS", 0)
    assert np.allclose(flipped(differences), exact, atol=0.02)


def test_sign_flip_holds_its_level_where_pairs_depend_on_each_other():
    """40 clusters of 5 pairs with a common part: flipping pairs would be wrong far more often than 5 %."""
    generator = np.random.default_rng(4)
    clusters = np.repeat(np.arange(40), 5)
    differences = generator.normal(0, 1, (40, 400))[clusters] + generator.normal(0, 1, (200, 400))
    assert 0.02 <= (flipped(differences, clusters) <= 0.05).mean() <= 0.08
    assert (flipped(differences) <= 0.05).mean() > 0.2


def test_interval_of_a_difference_by_hand():
    """None of 30 differs: Wilson's bound for 0 of 30. All differ one way: 1 - q over 1 + q. No cluster: all is open.

    100 pairs, 20 for b and 10 for a: (0.1 - d)² = q (0.3 - d²), q = 1.96² / 100.
    """
    low, high = difference_interval(
        np.array([0.0, 1.0, 0.0, 0.1]), np.array([0.0, 1.0, 0.0, 0.3]), np.ones(4), np.array([30.0, 30, 0, 100])
    )
    bound = proportion_confint(0, 30, method="wilson")[1]
    q = 1.959963984540054**2 / 30
    assert low[:3] == pytest.approx([-bound, (1 - q) / (1 + q), -1]) and high[:3] == pytest.approx([bound, 1, 1])
    for d in (low[3], high[3]):
        assert (0.1 - d) ** 2 == pytest.approx(1.959963984540054**2 / 100 * (0.3 - d**2))
    assert low[3] < 0.1 < high[3]


def test_interval_of_a_difference_beyond_what_moved():
    """2 of 200 pairs differ, both for b: at the upper bound more than 0.01 have to, so the variance is d - d²."""
    _, high = difference_interval(np.array([0.01]), np.array([0.01]), np.array([1.0]), np.array([200.0]))
    assert high[0] > 0.01
    assert (0.01 - high[0]) ** 2 == pytest.approx(1.959963984540054**2 / 200 * (high[0] - high[0] ** 2))
    # that is Wilson's bound for 2 of 200
    assert high[0] == pytest.approx(proportion_confint(2, 200, method="wilson")[1])


@pytest.mark.parametrize(("clusters", "size", "differing"), [(12, 20, 0.2), (60, 2, 0.1), (60, 2, 0.02)])
def test_interval_of_a_difference_covers(clusters, size, differing):
    """1,000 simulated sets of yes-or-no pairs whose clusters share a part of their outcomes."""
    generator = np.random.default_rng(clusters)
    truth = 0.2 * differing
    numbers = np.repeat(np.arange(clusters), size)
    odds = [(differing - truth) / 2, 1 - differing, (differing + truth) / 2]
    common, own = (generator.choice([-1.0, 0, 1], p=odds, size=(n, 1000)) for n in (clusters, len(numbers)))
    values = np.where(generator.random(own.shape) < 0.3, common[numbers], own)
    means = clustered.clustered_means(values, numbers)
    low, high = difference_interval(means.mean, np.abs(values).mean(0), np.ones(1000), means.n_eff_balanced)
    assert ((low <= truth) & (truth <= high)).mean() >= 0.94


def test_clusters_that_one_outweighs_count_as_fewer():
    """Sizes 6 and six of 1 weigh as much as 12² / (36 + 6) = 24 / 7 equal ones; three of 2 are three."""
    values = np.array([1.0, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1, 0])[:, None]
    found = clustered.clustered_means(values, np.r_[np.zeros(6, int), np.arange(1, 7)])
    t = stats.t.ppf(0.975, 24 / 7 - 1)
    assert found.n_eff_balanced == pytest.approx(found.n_independent * (1.959963984540054 / t) ** 2)
    alike = clustered.clustered_means(np.zeros((12, 1)), np.r_[np.zeros(6, int), np.arange(1, 7)])
    assert alike.n_eff_balanced == alike.n_eff == 7
    equal = clustered.clustered_means(values[:6], np.repeat(np.arange(3), 2))
    assert equal.n_eff_balanced == equal.n_eff


@pytest.mark.parametrize("share", [0.5, 0.8])
def test_interval_of_a_difference_covers_where_one_cluster_outweighs_the_others(share):
    """500 sets of 300 pairs, that share of them in one of 12 clusters; n_eff itself covers 0.91 and 0.60 of them."""
    generator = np.random.default_rng(12)
    sizes = [int(300 * share), *[int(300 * (1 - share)) // 11] * 11]
    numbers = np.repeat(np.arange(12), sizes)
    common, own = (generator.choice([-1.0, 0, 1], p=[0.12, 0.7, 0.18], size=(n, 500)) for n in (12, len(numbers)))
    values = np.where(generator.random(own.shape) < 0.5, common[numbers], own)
    means = clustered.clustered_means(values, numbers)
    low, high = difference_interval(means.mean, np.abs(values).mean(0), np.ones(500), means.n_eff_balanced)
    assert ((low <= 0.06) & (high >= 0.06)).mean() >= 0.94
    low, high = difference_interval(means.mean, np.abs(values).mean(0), np.ones(500), means.n_eff)
    assert ((low <= 0.06) & (high >= 0.06)).mean() < 0.94


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


def apart(clusters: int, balanced: float | None = None) -> float:
    """Standard errors of the smallest effect, by scipy: t of the largest p-value up to 0.05 that signs can have."""
    balanced = balanced or clusters
    patterns = 2 ** (clusters - 1)
    level = (patterns // 20) / patterns
    quantiles = stats.t.ppf(1 - level / 2, balanced - 1) + stats.t.ppf(0.8, balanced - 1)
    correction = (balanced / (balanced - 1) * (clusters - 1) / clusters) ** 0.5
    too_low = (stats.chi2.median(balanced - 1) / (balanced - 1)) ** 0.5
    return quantiles * correction / too_low * (1 + 4.5 / balanced**2)


def test_detectable_difference_by_hand():
    """7 clusters: 3 of 64 patterns. t(6) has 2.4945 at 1 - 3/128 and 0.9057 at 80 %, chi-square(6) the median 5.3481.

    3.4002 / sqrt(5.3481 / 6) * (1 + 4.5 / 49) = 3.9322. Many: 1.959964 + 0.841621. Under 7 there is no test.
    """
    few, many = detectable_difference(np.array([0.1, 0.1]), np.array([7, 10**9]))
    assert few == pytest.approx(0.39322, abs=2e-5) and few == pytest.approx(0.1 * apart(7))
    assert many == pytest.approx(0.2801585, abs=1e-6)
    assert detectable_difference(np.array(0.1), np.array(12), np.array(9.5)) == pytest.approx(0.1 * apart(12, 9.5))
    assert np.isnan(detectable_difference(np.array([0.1, 0.0, np.nan]), np.array([6, 50, 50]))).all()


@pytest.mark.parametrize("clusters", [7, 8, 10, 12, 15, 20, 40])
def test_the_test_finds_the_detectable_difference_in_80_percent(clusters):
    """Signs of normal sums, the effect being the one that the median set calls detectable; a margin with few."""
    noise = np.random.default_rng(clusters).normal(size=(clusters, 3000))
    errors = noise.std(0, ddof=1) / clusters**0.5
    effect = np.median(detectable_difference(errors, np.full(3000, clusters)))
    p_values = sign_flip.sign_flip(noise + effect, np.ones((clusters, 3000)), seed=1, patterns=999)
    assert 0.78 <= (p_values <= 0.05).mean() <= 0.86


def paired(differences: list[float], each: int = 1) -> clustered.ClusteredMeans:
    """Means of items, so many to a cluster."""
    return clustered.clustered_means(np.array(differences, float)[:, None], np.arange(len(differences)) // each)


def test_detectable_mean_difference_by_hand():
    """400 pairs, each a cluster. 100 differ, half either way: the formula as it is and a pair's step of 1 / 400. 4
    differ: it would give more than all that differ; one way (d - 1/400)² = c² (d - d²) / 400. The same, halved, where
    those that differ do by a half. No pair differs: the same rule.
    """
    c = apart(400)
    even = paired([1] * 50 + [-1] * 50 + [0] * 300)
    [found] = detectable_mean_difference(even, np.array([0.25]), np.array([1.0]), even.n_independent)
    assert found == pytest.approx(c * (0.25 / 399) ** 0.5 + 1 / 400, rel=1e-5)
    q = c**2 / 400
    one_way = max(np.roots([1 + q, -(2 / 400 + q), 1 / 400**2]))
    for size, typical in ((1, 1.0), (0.5, 0.5), (0, 1.0)):
        few = paired([size] * 2 + [-size] * 2 + [0] * 396)
        [found] = detectable_mean_difference(few, np.array([0.01 * size]), np.array([typical]), np.array([400.0]))
        assert found == pytest.approx(one_way * typical, rel=1e-5)


def test_where_no_possible_difference_would_be_found_there_is_no_effect():
    """7 clusters worth one pair each: 6 of 7 have to differ all one way, which a chance of q in each leaves to
    0.894 = sqrt(0.8) where 7 q^6 - 6 q^7 is that. From 0.5 there is room for no such difference.
    """
    found = paired([1, 1, 1, 1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0], each=2)
    pairs = (found, np.array([6 / 14]), np.array([1.0]), np.array([7.0]))
    [effect] = detectable_mean_difference(*pairs)
    assert 7 * effect**6 - 6 * effect**7 == pytest.approx(0.8**0.5, abs=1e-6)
    assert np.isnan(detectable_mean_difference(*pairs, room=0.5)).all()
    six = paired([1, 0, 0, 0, 0, 0])
    assert np.isnan(detectable_mean_difference(six, np.array([1 / 6]), np.array([1.0]), np.array([6.0]))).all()


def test_a_value_near_an_end_needs_more_than_its_own_error_says():
    """2 % of 600 clusters, and another run with d more: d² = c² / 599 * (0.02 * 0.98 + (0.02 + d) * (0.98 - d))."""
    [effect] = detectable_change(paired([1] * 12 + [0] * 588))
    p, scale = 0.02, apart(600) ** 2 / 599
    assert effect**2 == pytest.approx(scale * (p * (1 - p) + (p + effect) * (1 - p - effect)))
    assert effect > (2 * scale * p * (1 - p)) ** 0.5
    assert detectable_change(paired([0] * 12 + [1] * 588)) == pytest.approx(effect)
    # none of 600: as many as there are clusters count, d² = c² / 600 * d * (1 - d)
    q = apart(600) ** 2 / 600
    assert detectable_change(paired([0] * 600)) == pytest.approx(q / (1 + q))
    assert np.isnan(detectable_change(paired([0, 1, 0, 1, 0, 1]))).all()


def test_a_fall_below_a_threshold_is_seen_with_both_variances():
    """Of 200 clusters 190 are right. From 0.95 it takes a * sqrt(0.95 * 0.05 / n) and b times that there."""
    found = paired([1] * 190 + [0] * 10)
    quantiles = stats.t.ppf(0.975, 199), stats.t.ppf(0.8, 199)
    level, power = (apart(200) * one / sum(quantiles) for one in quantiles)
    for times in (1, 4):
        [fall] = detectable_fall(found, 0.95, times)
        there = (0.95 - fall) * (0.05 + fall)
        n = times * found.n_independent[0]
        assert fall == pytest.approx((level * 0.0475**0.5 + power * there**0.5) / n**0.5, rel=1e-6)
    assert np.isnan(detectable_fall(found, 0.01)).all()


def test_as_many_times_as_it_takes():
    assert times_as_many(lambda times: 1 / times**0.5, 0.1) == pytest.approx(100, rel=1e-3)
    assert times_as_many(lambda times: 0.2, 0.1) == times_as_many(lambda times: float("nan"), 0.1) == float("inf")


@pytest.mark.parametrize(
    ("clusters", "wrong", "is_reliable"),
    [
        (np.arange(30), 1, True),  # each item a cluster: one wrong answer is enough to know
        (np.repeat(np.arange(9), 4), 18, False),  # 9 clusters of equal size
        (np.repeat(np.arange(12), 4), 24, True),  # 12, and both outcomes are common
        (np.r_[np.zeros(40, int), np.arange(1, 20)], 20, False),  # 20, one of which holds most of the items
        (np.repeat(np.arange(40), 4), 8, False),  # both wordings of two questions wrong, those of 38 right
        (np.zeros(30, int), 15, False),  # one cluster
        (np.arange(4), 1, True),  # four independent items
        (np.arange(3), 1, False),  # three: where all agree the interval holds the truth in 92 of 100 cases
    ],
)
def test_intervals_that_cover_too_little_are_flagged(clusters, wrong, is_reliable):
    values = (np.arange(len(clusters)) >= wrong).astype(float)[:, None]
    if wrong not in (1, 8):
        values = np.random.default_rng(4).permutation(values)
    assert is_wilson_reliable(clustered.clustered_means(values, clusters)).tolist() == [is_reliable]


@pytest.mark.parametrize(("companies", "is_reliable"), [(9, False), (10, True)])
def test_few_companies_are_flagged_where_texts_count(companies, is_reliable):
    """Ten texts begin at each company and stand at the next one too. Of a company's 20 items 10 are right, so that by
    companies there is no variance; items of one text are alike, and worth half of what they are.
    """
    text = np.repeat(np.arange(10 * companies), 2)
    company = (text + np.tile([0, 1], 10 * companies)) % companies
    found = clustered.cluster_ways((text // companies % 2).astype(float)[:, None], [company, text]).means
    assert (found.n_clusters[0], found.fewest_clusters[0]) == (10 * companies, companies)
    assert found.fewest_balanced == pytest.approx(companies) and found.crossing == pytest.approx(1)
    assert is_wilson_reliable(found).tolist() == [is_reliable]


@pytest.mark.parametrize(("small", "deff", "is_reliable"), [(36, 1.6, False), (36, 1.4, True), (80, 1.6, True)])
def test_few_large_clusters_that_hold_the_variance_are_flagged(small, deff, is_reliable):
    """Four clusters of 60 items and 36 of 10 are worth 600² / 18000 = 20 equal ones, by squared sizes
    18000² / (4 * 60^4 + 36 * 10^4) = 6.2; with 80 small ones 9.5.
    """
    ids = np.r_[np.repeat(np.arange(4), 60), np.repeat(np.arange(4, 4 + small), 10)]
    found = clustered.clustered_means((np.arange(len(ids)) % 2).astype(float)[:, None], ids)
    assert found.variance_clusters == pytest.approx(6.207 if small == 36 else 9.532, abs=1e-3)
    found = replace(found, deff=np.array([deff]), n_eff=found.n / deff)
    assert is_wilson_reliable(found).tolist() == [is_reliable]


def test_pooled_claims_of_very_unequal_sources_cover_or_are_flagged():
    """Numbers of claims vary as a log-normal of log-sd 1.2. Half of the designs whose claims depend on their source
    hold the truth in under 92 %; most sets of each of these are flagged, and few where claims are independent.
    """
    rates, passed = {0.0: [], 0.1: [], 0.3: []}, {0.0: [], 0.1: [], 0.3: []}
    for number in range(60):
        generator = np.random.default_rng((21, number))
        sources, icc = (30, 60, 120)[number % 3], (0.0, 0.1, 0.3)[number // 3 % 3]
        sizes = np.exp(1.2 * generator.normal(size=sources))
        sizes = np.repeat(np.maximum(1, np.round(8 * sizes / sizes.mean()))[:, None], 800, axis=1)
        chance = 0.5 if icc == 0 else generator.beta(*(0.5 * (1 - icc) / icc,) * 2, size=sizes.shape)
        true = generator.binomial(sizes.astype(int), chance).astype(float)
        found = clustered.means_of_sums(clustered.ClusterSums(sizes, sizes, true, true))
        low, high = wilson_interval(found.mean, found.n_eff)
        rates[icc].append(((low <= 0.5) & (high >= 0.5)).mean())
        passed[icc].append(is_wilson_reliable(found).mean())
    dependent = np.array(rates[0.1] + rates[0.3]), np.array(passed[0.1] + passed[0.3])
    assert np.mean(dependent[0] < 0.92) > 0.4
    assert dependent[1][dependent[0] < 0.92].max() < 0.25
    assert np.mean(rates[0.0]) > 0.95 and np.mean(passed[0.0]) > 0.75


@pytest.mark.parametrize(
    ("size", "differing", "deff", "is_reliable"),
    [
        (10, 21.8, 4, False),  # 2 * 9 / 11 / sqrt(21.8) = 0.3505
        (10, 21.9, 4, True),  # 0.3497
        (10, 3, 1.1, True),  # no sign that pairs depend on their cluster
        (2, 3.6, 1.5, False),  # 2 / 3 / sqrt(3.6) = 0.351
        (2, 3.7, 1.5, True),  # 0.347
        (1, 1, 1.5, True),  # each pair a cluster
    ],
)
def test_differences_that_could_be_very_skewed_are_flagged(size, differing, deff, is_reliable):
    """A quarter of the pairs differ, by a half: four as many effective pairs as differ."""
    found = clustered.clustered_means(np.zeros((30 * size, 1)), np.repeat(np.arange(30), size))
    found = replace(found, deff=np.array([float(deff)]), n_eff=np.array([4.0 * differing]))
    assert is_difference_reliable(found, np.array([0.125]), np.array([0.5])).tolist() == [is_reliable]


def test_a_test_of_runs_that_vary_differently_rejects_too_often_or_is_flagged():
    """Both find a tenth of 50 anchors of 12 companies: a nearly as often in each, b most in few and none in others."""
    generator = np.random.default_rng(7)
    ids = np.repeat(np.arange(12), 50)
    chances = (generator.beta(0.1 * (1 - icc) / icc, 0.9 * (1 - icc) / icc, (12, 500)) for icc in (0.05, 0.5))
    a, b = ((generator.random((600, 500)) < chance[ids]).astype(float) for chance in chances)
    found, moved = clustered.clustered_means(b - a, ids), np.abs(b - a).mean(0)
    low, high = difference_interval(found.mean, moved, np.ones(500), found.n_eff_balanced)
    is_covered, is_shown = (low <= 0) & (high >= 0), flipped(b - a, ids) <= 0.05
    is_reliable = is_difference_reliable(found, moved, np.ones(500))
    assert is_covered.mean() < 0.9 and is_shown.mean() > 0.1
    assert (is_shown & is_reliable).mean() < 0.05 and (~is_covered & is_reliable).mean() < 0.05


def test_few_clusters_are_too_few_to_resample():
    assert [is_bootstrap_reliable(n) for n in (1, 19, 20)] == [False, False, True]
    assert [is_bootstrap_reliable(n, is_skewed=True) for n in (59, 60)] == [False, True]
    assert [is_bootstrap_reliable(60, n_rarer=n) for n in (6, 7, None)] == [False, True, True]


def test_clusters_are_counted_by_their_sizes():
    """Items in clusters, by column: 3, 1 and 1 are worth 25 / 11 of one size, three of 2 all three, none nothing."""
    sizes = np.array([[3.0, 2, 0], [1, 2, 0], [1, 2, 0]])
    assert clustered.balanced_clusters(sizes).tolist() == [25 / 11, 3, 0]


def test_bounds_of_a_bootstrap_are_moved_apart_for_few_clusters():
    # t of 3 degrees of freedom 3.18245 / 1.95996 * sqrt(4 / 3) = 1.87492; and no share is below 0
    low, high = bootstrap.expanded(0.5, 0.4, 0.52, 4, (0, 1))
    assert (low, high) == (pytest.approx(0.5 - 0.187492, abs=1e-6), pytest.approx(0.5 + 0.0374984, abs=1e-6))
    assert bootstrap.expanded(0.1, 0.01, 0.2, 4, (0, 1))[0] == 0
