"""E-values by hand, and that looking at every build costs no false alarms."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from scipy import integrate

from finrag.statistics import e_values

BUILDS = 20
COMPANIES = 19
ANCHORS = 600


@pytest.mark.parametrize(("up", "down"), [(0, 0), (1, 0), (7, 0), (0, 7), (5, 5), (12, 3)])
def test_sums_of_one_size_are_a_fair_coin_against_a_beta_mixture(up, down):
    """2^n * B(up + 1/2, down + 1/2) / B(1/2, 1/2), as a product: half-integers below up and down over n!."""
    halves = np.prod(np.arange(up) + 0.5) * np.prod(np.arange(down) + 0.5)
    expected = 2.0 ** (up + down) * halves / np.prod(np.arange(1, up + down + 1.0))
    for size in (1, 0.25, 40):
        assert e_values.symmetric(np.array([size] * up + [-size] * down + [0.0])) == pytest.approx(expected)


def test_seven_clusters_that_all_lost():
    """C(14, 7) / 4^7 * 2^7 = 26.8."""
    assert e_values.symmetric(np.full(7, -3.0)) == pytest.approx(comb(14, 7) / 2**7) == pytest.approx(26.8125)


def test_the_mean_over_all_signs_is_1():
    sums = np.array([0.5, 1.0, 2.0, 3.0, 0.1])
    signs = np.array(np.meshgrid(*[[-1, 1]] * 5)).reshape(5, -1).T
    assert np.mean([e_values.symmetric(sums * row) for row in signs]) == pytest.approx(1)


def test_a_cluster_at_the_threshold_is_no_evidence():
    """One cluster of values y against 0.95: the mean of 1 + 20 p (0.95 - y) over p, whose mean is 1/2."""
    for value, expected in ((0.95, 1.0), (1.0, 0.5), (0.0, 10.5)):
        found = e_values.at_least(np.array([value]), np.array([30.0]), 0.95)
        assert found == pytest.approx(expected)
    # a cluster of half as many items counts half as much: the mean of (1 + 19 p)(1 + 9.5 p), of p^2 it is 3/8
    found = e_values.at_least(np.zeros(2), np.array([2.0, 1.0]), 0.95)
    assert found == pytest.approx(1 + (19 + 9.5) / 2 + 19 * 9.5 * 3 / 8)


def test_gains_are_raised_to_the_power_that_a_second_way_to_cluster_leaves():
    """One cluster of 0 against 0.95 and a crossing of 2: the mean of the square root of 1 + 19 p."""
    expected, _ = integrate.quad(lambda angle: np.sqrt(1 + 19 * np.sin(angle) ** 2) * 2 / np.pi, 0, np.pi / 2)
    assert e_values.at_least(np.zeros(1), np.ones(1), 0.95, crossing=2) == pytest.approx(expected)
    # one sum: 2 p or 2 (1 - p), whichever sign
    expected, _ = integrate.quad(lambda angle: np.sqrt(2 * np.sin(angle) ** 2) * 2 / np.pi, 0, np.pi / 2)
    assert e_values.symmetric(np.array([-3.0]), crossing=2) == pytest.approx(expected, rel=1e-3)


def test_totals_that_vary_as_a_second_way_to_cluster_makes_them_are_no_evidence():
    """400 sums that share an unseen part: of twice their variance, the mean gain is over 1; of the power 1/2, under."""
    generator = np.random.default_rng(4)
    shared = generator.standard_normal((3000, 1)) / 20
    sums = generator.standard_normal((3000, 400)) + shared
    assert np.mean([e_values.symmetric(one) for one in sums]) > 1.1
    assert np.mean([e_values.symmetric(one, crossing=2) for one in sums]) < 1


def test_weights_of_all_builds_add_up_to_1():
    assert e_values.weight(1) == 1 / 2 and e_values.weight(3) == 1 / 12
    assert sum(e_values.weight(build) for build in range(1, 100_000)) == pytest.approx(1, abs=1e-4)


def series(generator: np.random.Generator, drop: float, noise: float, anchors: int = ANCHORS) -> np.ndarray:
    """e_process after each of 20 builds, whose hits are those of the anchors but for some that come and go.

    All builds have the anchors and the baseline in common, so a baseline that was lucky looks like a fall in each of
    them. noise: the share of anchors whose outcome is chance, in the baseline as in every build. drop: share of hits
    lost for good.
    """
    company = np.arange(anchors) % COMPANIES
    chance = np.where(generator.random(anchors) < noise, 0.5, generator.random(anchors) < 0.75)
    before = generator.random(anchors) < chance
    lost = generator.random(anchors) < drop / 0.75
    process, found = 0.0, []
    for build in range(1, BUILDS + 1):
        after = (generator.random(anchors) < chance) & ~lost
        sums = np.bincount(company, weights=after.astype(float) - before, minlength=COMPANIES)
        process += e_values.weight(build) * e_values.symmetric(sums)
        found.append(process)
    return np.array(found)


def test_20_builds_without_a_change_alarm_in_at_most_5_percent_of_series():
    generator = np.random.default_rng(1)
    for noise, anchors in ((0.05, 600), (0.3, 600), (0.3, 60)):
        alarms = np.mean([series(generator, 0.0, noise, anchors).max() >= e_values.LIMIT for _ in range(400)])
        assert alarms <= 0.05, (noise, anchors, alarms)


def test_a_drop_of_5_points_of_600_anchors_is_found():
    """With 5 % of anchors coming and going, at the first build in most series, within five in nine of ten."""
    generator = np.random.default_rng(2)
    found = np.array([series(generator, 0.05, 0.05) >= e_values.LIMIT for _ in range(200)])
    assert found[:, 0].mean() >= 0.8
    assert found[:, 4].mean() >= 0.9


def test_the_product_of_the_same_evidence_would_raise_false_alarms():
    """Why the evidence of builds is added up and not multiplied: the luck of the baseline is in all of it."""
    generator = np.random.default_rng(3)
    company = np.arange(ANCHORS) % COMPANIES
    shown = []
    for _ in range(1000):
        usual, before = generator.random((2, ANCHORS)) < 0.5
        sums = np.bincount(company, weights=usual.astype(float) - before, minlength=COMPANIES)
        shown.append(e_values.symmetric(sums))
    weights = [e_values.weight(build) for build in range(1, BUILDS + 1)]
    assert np.mean(np.array(shown) ** BUILDS >= e_values.LIMIT) > 0.05
    assert np.mean(np.array(shown) * sum(weights) >= e_values.LIMIT) <= 0.05
