"""Summarisers and sentiment labellers compared in pairs: by hand, and against scipy and statsmodels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm, permutation_test
from statsmodels.stats.proportion import proportion_confint

import databases
from finrag.metrics.registry import KINDS, read_metrics
from finrag.metrics.system_comparisons import ITEMS, compare_systems, contributions, least_p_value, outcomes_of_source
from finrag.statistics.clustered import clustered_means
from finrag.statistics.reliability import is_difference_reliable
from finrag.statistics.sign_flip import sign_flip

SEEDS = Path(__file__).parents[2] / "seeds"
# gold_predicate, stratum_by, stratum, metric
FAITHFUL = ("faithful_to_source", "overall", "all", "faithfulness")


@pytest.fixture
def connection():
    with databases.in_memory() as connection:
        connection.execute(f"create table registry as from read_csv('{SEEDS}/metrics.csv')")
        connection.execute("create table pairs as select 'a' as run_id_a, 'b' as run_id_b")
        connection.execute(
            "create table scores (run_id varchar, unit_id varchar, cluster_id varchar, gold_predicate varchar, "
            "stratum_by varchar, stratum varchar, metric varchar, score double, weight double)"
        )
        yield connection


def insert(connection, run: str, scores: dict[str, float], group=FAITHFUL, clusters=None, weights=None) -> None:
    rows = [
        (run, unit, (clusters or {}).get(unit, unit), *group, score, (weights or {}).get(unit, 1))
        for unit, score in scores.items()
    ]
    databases.insert(connection, "scores", rows)


def compared(connection, done=frozenset()) -> list[dict]:
    tables = {name: connection.table(name) for name in ("pairs", "scores", "registry")}
    return compare_systems(**tables, done=set(done)).to_pylist()


def test_sources_that_both_have_a_score_on_are_paired(connection):
    others = {f"t{place}": 0.5 for place in range(4)}
    insert(connection, "a", {"s1": 0.5, "s2": 0.0, "s3": 0.25, "only a": 1.0, **others})
    insert(connection, "b", {"s1": 1.0, "s2": 0.5, "s3": 1.0, "only b": 0.0, **others})
    [row] = compared(connection)
    assert (row["pair_id"], row["metric"], row["n_pairs"], row["n_clusters"]) == ("a:b", "faithfulness", 7, 7)
    assert (row["value_a"], row["value_b"]) == pytest.approx((2.75 / 7, 4.5 / 7))
    assert row["difference"] == pytest.approx(1.75 / 7)
    # the three that differ do so one way: of the 8 patterns of signs, +++ and --- are as far from zero
    assert (row["test"], row["p_value"]) == ("sign_flip", 0.25)
    assert -0.1 < row["ci_low"] < row["difference"] < row["ci_high"] < 0.7
    assert (row["n_a_only"], row["n_b_only"]) == (None, None)


def test_equal_systems_differ_by_nothing(connection):
    for run in "ab":
        insert(connection, run, {f"s{place}": 0.5 for place in range(7)})
    [row] = compared(connection)
    assert (row["difference"], row["p_value"]) == (0.0, 1.0)
    # Wilson's bounds for none of seven
    bound = proportion_confint(0, 7, method="wilson")[1]
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((-bound, bound))


def test_few_sources_have_no_test(connection):
    for run, score in (("a", 0.0), ("b", 1.0)):
        insert(connection, run, {f"s{place}": score for place in range(6)})
    [row] = compared(connection)
    assert (row["difference"], row["p_value"]) == (1.0, None)


def test_runs_without_a_shared_source_have_no_row(connection):
    insert(connection, "a", {"s1": 0.5})
    insert(connection, "b", {"s2": 0.5})
    assert compared(connection) == []


def test_themes_are_compared_apart_and_metrics_that_are_not_compared_are_not(connection):
    goals = ("faithful_to_source", "theme", "future_goals", "faithfulness")
    insert(connection, "a", {"s1": 0.0, "s2": 1.0})
    insert(connection, "b", {"s1": 1.0, "s2": 1.0})
    insert(connection, "a", {"s1": 0.0}, goals)
    insert(connection, "b", {"s1": 1.0}, goals)
    for run in "ab":
        insert(connection, run, {"s1": 4.0}, ("faithful_to_source", "overall", "all", "claims_per_text"))
    rows = {(row["stratum"], row["metric"]): row for row in compared(connection)}
    assert set(rows) == {("all", "faithfulness"), ("future_goals", "faithfulness")}
    assert rows["all", "faithfulness"]["difference"] == 0.5
    assert rows["future_goals", "faithfulness"]["difference"] == 1.0


def test_shares_are_of_all_claims_and_not_of_sources(connection):
    """a: 1 of 1 true claims on one source and 2 of 9 on each of six; b: 0 of 1 and 3 of 9. Of 55 claims 13 and 18
    are true, though the mean of a's sources is the larger: (1 + 6 * 2/9) / 7 and 6 * 3/9 / 7. Common share 31 / 110.

    Contributions to the difference, times 55 / 7: -1 on the first, 1 on the others, so of 64 patterns of signs
    those with at most one other sign are as far from zero as the observed one: 8 of 64 (it counts for two sides).
    """
    units = [f"s{place}" for place in range(7)]
    weights = {unit: 1.0 if unit == "s0" else 9.0 for unit in units}
    insert(connection, "a", {unit: 1.0 if unit == "s0" else 2 / 9 for unit in units}, weights=weights)
    insert(connection, "b", {unit: 0.0 if unit == "s0" else 3 / 9 for unit in units}, weights=weights)
    [row] = compared(connection)
    assert (row["value_a"], row["value_b"]) == pytest.approx((13 / 55, 18 / 55))
    assert row["difference"] == pytest.approx(5 / 55)
    assert row["mean_absolute_difference"] == pytest.approx(7 / 55)
    assert row["p_value"] == 8 / 64
    # (1² + 6 * 9²) / 55 claims in a source; seven that differ are too few for so many
    claims = np.array(list(weights.values()))
    assert outcomes_of_source(claims, claims) == pytest.approx(487 / 55) and row["is_interval_reliable"] is False


def test_systems_that_fail_sources_and_claims_reject_too_often_or_are_flagged():
    """20 sources of 15 claims, 97 % of them true in both: a fails a claim here and there, b whole sources."""
    generator = np.random.default_rng(9)
    chances = (generator.beta(0.97 * (1 - icc) / icc, 0.03 * (1 - icc) / icc, (20, 500)) for icc in (0.02, 0.4))
    a, b = (generator.binomial(15, chance) / 15 for chance in chances)
    found, moved = clustered_means(b - a, np.arange(20)), np.abs(b - a).mean(0)
    is_shown = sign_flip(b - a, np.ones(a.shape), seed=1, patterns=499) <= 0.05
    is_reliable = is_difference_reliable(found, moved, ((b - a) ** 2).mean(0) / moved, outcomes=15.0)
    assert is_shown.mean() > 0.07 and (is_shown & is_reliable).mean() < 0.05
    assert is_difference_reliable(found, moved, ((b - a) ** 2).mean(0) / moved)[is_shown].all()


def test_unequal_numbers_of_claims_keep_the_level():
    """Both true in 80 % of the claims, b with half as many again, sources of 1 to 20 claims and own difficulty."""
    generator = np.random.default_rng(5)
    found = []
    for _ in range(600):
        difficulty = generator.beta(8, 2, 15)
        claims = generator.integers(1, 21, 15)
        more = np.ceil(claims * generator.uniform(1, 2, 15)).astype(int)
        shares = [generator.binomial(n, difficulty) / n for n in (claims, more)]
        first, second = contributions(*shares, claims.astype(float), more.astype(float))
        assert second.mean() == pytest.approx((shares[1] * more).sum() / more.sum())
        found.append(float(sign_flip((second - first)[:, None], np.ones((15, 1)), seed=1, patterns=999)[0]))
    # 0.05 and two standard errors of 600 sets
    assert np.mean(np.array(found) <= 0.05) <= 0.05 + 2 * (0.05 * 0.95 / 600) ** 0.5


def test_a_system_of_few_claims_is_not_sure_because_it_has_few():
    """12 sources, 4 claims against 40, 97 % of them true in both systems: flipped signs alone reject in 11 %."""
    generator = np.random.default_rng(8)
    found = []
    for _ in range(600):
        difficulty = generator.beta(0.97 * 9, 0.03 * 9, 12)
        claims = [generator.integers(low, high, 12) for low, high in ((2, 7), (20, 61))]
        shares = [generator.binomial(n, difficulty) / n for n in claims]
        weights = [n.astype(float) for n in claims]
        first, second = contributions(*shares, *weights)
        alone = float(sign_flip((second - first)[:, None], np.ones((12, 1)), seed=1, patterns=999)[0])
        found.append((alone, max(alone, least_p_value(*shares, *weights))))
    alone, believed = (np.array(found) <= 0.05).mean(0)
    assert alone > 0.07 and believed <= 0.05


def test_the_least_p_value_of_unequal_numbers_of_claims(connection):
    """a: all of 48 claims true. b: 7 of 8 sources have 38 of 40, one all of them, four more 40 of 40: 466 of 480.

    The score test: 14/480 over sqrt(q (1 - q) (1/48 + 1/480)), q = 14/528, is 1.1987; two-sided 0.2306. Flips of seven
    sums of one sign would give 2 / 2^7.
    """
    units = [f"s{place:02}" for place in range(12)]
    insert(connection, "a", dict.fromkeys(units, 1.0), weights=dict.fromkeys(units, 4.0))
    scores = {unit: 0.95 if place < 7 else 1.0 for place, unit in enumerate(units)}
    insert(connection, "b", scores, weights=dict.fromkeys(units, 40.0) | {"s11": 39.0})
    [row] = compared(connection)
    share = 14 / (48 + 479)
    error = (share * (1 - share) * (1 / 48 + 1 / 479)) ** 0.5
    assert row["p_value"] == pytest.approx(2 * norm.sf(14 / 479 / error)) == pytest.approx(0.23, abs=0.005)
    alike = [np.ones(3), np.ones(3), np.full(3, 2.0), np.full(3, 9.0)]
    assert least_p_value(*alike) == 1.0
    assert least_p_value(*alike[:2], np.full(3, 2.0), np.full(3, 4.0)) == 0.0


def test_an_interval_stays_within_what_shares_can_differ_by(connection):
    """One source of 100 claims among sources of one, where the systems are as far apart as they can be."""
    weights = {f"s{place:02}": 100.0 if place == 0 else 1.0 for place in range(12)}
    insert(connection, "a", dict.fromkeys(weights, 0.0), weights=weights)
    insert(connection, "b", dict.fromkeys(weights, 1.0), weights=weights | {"s11": 2.0})
    [row] = compared(connection)
    assert row["difference"] == pytest.approx(1) and -1 <= row["ci_low"] < row["ci_high"] <= 1


def test_sources_agree_with_scipy(connection):
    rng = np.random.default_rng(3)
    first = rng.random(11)
    second = np.clip(first + rng.normal(0.1, 0.2, 11), 0, 1)
    for run, scores in (("a", first), ("b", second)):
        insert(connection, run, {f"s{place}": float(score) for place, score in enumerate(scores)})
    [row] = compared(connection)
    expected = permutation_test(
        (second - first,), np.sum, permutation_type="samples", n_resamples=np.inf, vectorized=False
    )
    assert row["p_value"] == pytest.approx(expected.pvalue, abs=1e-12)
    assert row["difference"] == pytest.approx((second - first).mean())


def test_headlines_of_one_text_are_flipped_together(connection):
    rng = np.random.default_rng(4)
    first, second = rng.integers(0, 2, (2, 24))
    group = ("exact", "overall", "all", "label_accuracy")
    texts = {f"h{place}": f"t{place // 2}" for place in range(24)}
    for run, scores in (("a", first), ("b", second)):
        insert(connection, run, {f"h{place}": float(score) for place, score in enumerate(scores)}, group, texts)
    [row] = compared(connection)
    a_only, b_only = int(((first == 1) & (second == 0)).sum()), int(((first == 0) & (second == 1)).sum())
    sums = (second - first).reshape(12, 2).sum(1)
    expected = permutation_test((sums,), np.sum, permutation_type="samples", n_resamples=np.inf, vectorized=False)
    assert (row["n_a_only"], row["n_b_only"]) == (a_only, b_only)
    assert row["p_value"] == pytest.approx(expected.pvalue)
    assert (row["n_pairs"], row["n_clusters"]) == (24, 12)


def test_pairs_whose_scores_stand_are_not_compared_again(connection):
    insert(connection, "a", {"s1": 0.5, "s2": 0.0})
    insert(connection, "b", {"s1": 1.0, "s2": 0.5})
    [row] = compared(connection)
    done = {(row["pair_id"], row["comparison_version"])}
    assert compared(connection, done) == []
    connection.execute("update scores set score = 0.75 where run_id = 'b' and unit_id = 's1'")
    [changed] = compared(connection, done)
    assert changed["difference"] == pytest.approx(0.375) and changed["comparison_version"] != row["comparison_version"]


def test_only_metrics_that_can_be_paired_are_compared(connection):
    compared_metrics = {
        metric.name: metric.kind
        for items in ITEMS
        for metric in read_metrics(connection.table("registry"), items, [])
        if metric.is_compared
    }
    assert set(compared_metrics.values()) <= set(KINDS) - {"ratio", "percentile"}
    sql = (Path(__file__).parents[2] / "models" / "metrics" / "int_system_scores.sql").read_text()
    assert {name for name in compared_metrics if f"'{name}'" not in sql} == set()
