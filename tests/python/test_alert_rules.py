"""metrics.alerts over tables made by hand: every shipped rule at its threshold, and what a baseline applies to."""

from __future__ import annotations

from functools import cache

import duckdb
import jinja2
import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import binom, chi2, t

from csv_files import rows_of
from databases import in_memory
from finrag.metrics.alert_statistics import alert_statistics, evidence
from warehouses import ROOT

CUTOFFS = [1, 3, 5, 10, 30]
TABLES = {
    "alert_rules": "rule_id varchar, severity varchar, suite varchar, regime varchar, strategy varchar, metric varchar,"
    " k integer, gold_window varchar, gold_predicate varchar, stratum_by varchar, stratum varchar, comparison varchar,"
    " threshold double, relative_threshold double, schedule varchar, note varchar, score_model varchar",
    "metrics": "metric varchar, items varchar",
    "int_answer_alerts": "rule_id varchar, run_id varchar, state varchar, series_id varchar, e_value double",
    "int_alert_history": "series_id varchar, run_id varchar, rule_id varchar, build_number bigint, e_value double",
    "baselines": "baseline_id varchar, suite varchar, regime varchar, strategy varchar, embedding_model varchar,"
    " run_id varchar, frozen_on date",
    "baseline_items": "baseline_id varchar, suite varchar, regime varchar, strategy varchar, embedding_model varchar,"
    " sentence_id varchar, gold_window varchar, gold_predicate varchar, text_hash varchar, self_at_1 boolean,"
    " self_at_1_text boolean, is_covered boolean, hit_at_5 boolean, rr_at_30 double, median_gold_distance double",
    "retrieval_runs": "run_id varchar, suite varchar, regime varchar, strategy varchar, embedding_model varchar,"
    " is_current boolean",
    "retrieval_queries": "suite varchar, query_id varchar, sentence_id varchar, text_hash varchar",
    "int_query_strata": "suite varchar, query_id varchar, stratum_by varchar, stratum varchar",
    "retrieval_items": "run_id varchar, suite varchar, query_id varchar, gold_window varchar, gold_predicate varchar,"
    " cluster_id varchar, second_cluster_id varchar, is_error boolean, is_covered boolean, self_at_1 boolean,"
    " self_at_1_text boolean, median_gold_distance double, "
    + ", ".join(f"hit_at_{k} boolean, recall_at_{k} double, rr_at_{k} double, ndcg_at_{k} double" for k in CUTOFFS),
}
# Anchors go to so many companies in turn, and each has a text of its own.
CLUSTERS = 20
ITEM = {
    "is_error": False,
    "is_covered": True,
    "self_at_1": True,
    "self_at_1_text": True,
    "hit_at_5": True,
    "rr_at_30": 1.0,
    "median_gold_distance": 0.5,
}
SHIPPED = {
    row["rule_id"]: {name: value or None for name, value in row.items()} for row in rows_of("seeds/alert_rules.csv")
}
# Those about answers have a model and unit tests of their own, int_answer_alerts.
RULES = {name: rule for name, rule in SHIPPED.items() if rule["gold_predicate"] != "answer"}


@pytest.fixture
def tables():
    with in_memory() as connection:
        for name, columns in TABLES.items():
            connection.execute(f"create table {name} ({columns})")
        yield connection


def insert(tables, name: str, rows: list[dict]) -> None:
    rows = pa.Table.from_pylist(rows)
    tables.register("rows", rows)
    tables.execute(f"insert into {name} ({', '.join(rows.column_names)}) select * from rows")


@cache
def rendered(model: str) -> str:
    """The model's SQL as dbt renders it in a warehouse that holds its rows of earlier builds."""
    template = (ROOT / "models" / "metrics" / f"{model}.sql").read_text(encoding="utf-8")
    return jinja2.Template(template).render(
        ref=str,
        var={"metric_ks": CUTOFFS}.__getitem__,
        this=model,
        is_incremental=lambda: True,
        command=lambda name: f"make {name}",
    )


@cache
def parsed(query: str) -> duckdb.Statement:
    """A statement that all tests ask for, as DuckDB reads it: that takes as long as to carry it out."""
    [statement] = duckdb.extract_statements(query)
    return statement


def alerts(tables) -> list[dict]:
    """Rows of the model over the tables, after one more build."""
    tables.execute(parsed(f"create or replace table int_alert_items as {rendered('int_alert_items')}"))
    tables.register("statistics_of_build", alert_statistics(tables.table("int_alert_items")))
    tables.execute("create or replace table int_alert_statistics as select * from statistics_of_build")
    tables.execute(parsed(f"insert into int_alert_history by name {rendered('int_alert_history')}"))
    relation = tables.execute(parsed(rendered("alerts")))
    names = [column[0] for column in relation.description]
    return [dict(zip(names, row, strict=True)) for row in relation.fetchall()]


def add_run(tables, rule: dict, outcomes: list[dict], model: str = "m", run_id: str = "r", first: int = 0) -> None:
    """A current run of the rule's kind with one anchor per outcome, in the rule's stratum."""
    suite, regime = rule["suite"], rule["regime"] or "open"
    insert(
        tables,
        "retrieval_runs",
        [
            {
                "run_id": run_id,
                "suite": suite,
                "regime": regime,
                "strategy": rule["strategy"],
                "embedding_model": model,
                "is_current": True,
            }
        ],
    )
    ids = [f"s{first + i}" for i in range(len(outcomes))]
    variant = {"gold_window": rule["gold_window"], "gold_predicate": rule["gold_predicate"]}
    insert(
        tables,
        "retrieval_items",
        [
            {"run_id": run_id, "suite": suite, "query_id": f"{suite}:{i}", "cluster_id": f"company {n % CLUSTERS}"}
            | {"second_cluster_id": f"t{i}"}
            | variant
            | ITEM
            | o
            for n, (i, o) in enumerate(zip(ids, outcomes, strict=True))
        ],
    )
    known = {row[0] for row in tables.execute("select sentence_id from retrieval_queries").fetchall()}
    new = [i for i in ids if i not in known]
    if new:
        insert(
            tables,
            "retrieval_queries",
            [{"suite": suite, "query_id": f"{suite}:{i}", "sentence_id": i, "text_hash": f"t{i}"} for i in new],
        )
        strata = {("overall", "all"), (rule["stratum_by"], rule["stratum"])}
        insert(
            tables,
            "int_query_strata",
            [
                {"suite": suite, "query_id": f"{suite}:{i}", "stratum_by": by, "stratum": s}
                for i in new
                for by, s in strata
            ],
        )


def add_baseline(
    tables, rule: dict, outcomes: list[dict], model: str = "m", name: str = "b", first: int = 0, on: str = "2026-01-01"
) -> None:
    """A baseline of the rule's kind with one anchor per outcome, the same anchors that add_run makes."""
    slot = {
        "baseline_id": name,
        "suite": rule["suite"],
        "regime": rule["regime"] or "open",
        "strategy": rule["strategy"],
        "embedding_model": model,
    }
    insert(tables, "baselines", [slot | {"frozen_on": on}])
    variant = {"gold_window": rule["gold_window"], "gold_predicate": rule["gold_predicate"]}
    kept = {name: value for name, value in ITEM.items() if name != "is_error"}
    insert(
        tables,
        "baseline_items",
        [
            slot | {"sentence_id": f"s{first + i}", "text_hash": f"ts{first + i}"} | variant | kept | o
            for i, o in enumerate(outcomes)
        ],
    )


def only(rows: list[dict]) -> dict:
    assert len(rows) == 1
    return rows[0]


def share(hits: int, n: int, column: str) -> list[dict]:
    return [{column: i < hits} for i in range(n)]


BELOW = [rule for rule in RULES.values() if rule["comparison"] == "below"]
SHARES = [rule for rule in RULES.values() if rule["comparison"] == "absolute_change" and rule["metric"] == "hit"]
DISTANCES = [rule for rule in RULES.values() if rule["metric"] == "median_gold_distance"]


def ids(rules: list[dict]) -> list[str]:
    return [rule["rule_id"] for rule in rules]


def test_the_shipped_rules_about_answers_are_those_of_the_framework():
    found = {
        (rule["metric"], rule["stratum"], rule["comparison"], rule["threshold"])
        for name, rule in SHIPPED.items()
        if name not in RULES
    }
    assert found == {
        ("bertscore", "all", "below", "0.8"),
        ("bleurt", "all", "below", "0.42"),
        ("bertscore", "cross_company", "below", "0.82"),
        ("citation_existing", "all", "below", "1"),
    }
    assert {(rule["suite"], rule["schedule"]) for rule in SHIPPED.values()} == {
        ("p1", "monthly"),
        ("p2", "monthly"),
        ("p3", "quarterly"),
    }
    assert {rule["score_model"] for rule in SHIPPED.values() if rule["metric"] == "bertscore"} == {
        "bertscore-deberta-xlarge-mnli"
    }


def test_the_shipped_rules_are_those_of_the_framework():
    assert ids([*BELOW, *SHARES, *DISTANCES]) == list(RULES)
    kinds = {(r["severity"], r["metric"], r["k"], r["regime"], r["comparison"], r["threshold"]) for r in RULES.values()}
    assert kinds == {
        ("P0", "self_at_1", "0", None, "below", "0.95"),
        ("P0", "self_at_1_text", "0", None, "below", "0.95"),
        ("P1", "hit", "5", "filtered", "absolute_change", "0.07"),
        ("P2", "hit", "5", "open", "absolute_change", "0.05"),
        ("P2", "median_gold_distance", "0", "open", "absolute_change", "0.05"),
    }
    assert {(r["suite"], r["gold_window"]) for r in RULES.values()} == {("p1", "5"), ("p2", "adaptive")}


# Standard errors of the smallest effect of 20 companies, by scipy (finrag.statistics.power): 26,214 of 2^19 patterns
LEVEL, POWER = t.ppf(1 - 26_214 / 2**20, 19), t.ppf(0.8, 19)
APART = (LEVEL + POWER) / (chi2.median(19) / 19) ** 0.5 * (1 + 4.5 / 20**2)


def fall(threshold: float, n: int) -> float:
    """The smallest fall below a threshold that n independent anchors of 20 companies show."""
    level = APART * t.ppf(0.975, 19) / (t.ppf(0.975, 19) + POWER) * (threshold * (1 - threshold) / n) ** 0.5
    power = (APART * POWER / (t.ppf(0.975, 19) + POWER)) ** 2 / n
    return max(np.roots([1 + power, -(2 * level + power * (2 * threshold - 1)),
                         level**2 - power * threshold * (1 - threshold)]))  # fmt: skip


@pytest.mark.parametrize(
    ("found", "status", "worth"),
    [(200, "ok", 20), (190, "ok", 200), (189, "too_few_to_tell", 200), (180, "fired", 20), (0, "fired", 20)],
)
@pytest.mark.parametrize("rule", BELOW, ids=ids(BELOW))
def test_self_at_1_fires_well_below_95_percent(tables, rule, found, status, worth):
    """Where all companies are alike (10, 9 and no anchor of 10), the anchors are worth one per company."""
    insert(tables, "alert_rules", [rule])
    add_run(tables, rule, share(found, 200, rule["metric"]))
    row = only(alerts(tables))
    assert (row["status"], row["is_fired"]) == (status, status == "fired")
    assert row["value"] == pytest.approx(found / 200)
    assert (row["n"], row["n_clusters"], row["baseline_value"], row["p_value"]) == (200, 20, None, None)
    if found != 180:
        assert row["minimum_detectable_effect"] == pytest.approx(fall(0.95, worth), rel=1e-6)
        assert row["can_detect"] is False


def test_twenty_anchors_of_a_healthy_index_do_not_fire(tables):
    """Of 20 anchors that are found in 95 % of cases, 18 or fewer are found in 26 % of builds."""
    rule = RULES["p1-self-text"]
    insert(tables, "alert_rules", [rule])
    generator = np.random.default_rng(1)
    rows = []
    for build in range(40):
        tables.execute("delete from retrieval_runs; delete from retrieval_items")
        outcomes = [{"self_at_1_text": bool(found)} for found in generator.random(20) < 0.95]
        add_run(tables, rule, outcomes, run_id=f"r{build}")
        rows.append(only(alerts(tables)))
    assert sum(row["value"] < 0.95 for row in rows) >= 5
    assert {row["status"] for row in rows} == {"ok", "too_few_to_tell"}
    assert rows[-1]["n_builds"] == 40


@pytest.mark.parametrize("direction", [-1, 1])
@pytest.mark.parametrize("beyond", [0, 1])
@pytest.mark.parametrize("rule", SHARES, ids=ids(SHARES))
def test_hit_5_fires_beyond_the_threshold_either_way(tables, rule, direction, beyond):
    n, before = 600, 300
    changed = round(float(rule["threshold"]) * n) + beyond
    insert(tables, "alert_rules", [rule])
    add_baseline(tables, rule, share(before, n, "hit_at_5"))
    add_run(tables, rule, share(before + direction * changed, n, "hit_at_5"))
    row = only(alerts(tables))
    assert row["status"] == ("fired" if beyond else "ok")
    assert row["difference"] == pytest.approx(direction * changed / n)
    assert row["p_value"] < 0.001
    assert row["is_change_shown"] is True
    assert (row["n"], row["n_baseline_anchors_missing"], row["can_detect"]) == (n, 0, True)


def test_a_binary_threshold_is_not_crossed_by_rounding(tables):
    """28 % to 21 % is seven points, and in binary a little more."""
    rule = RULES["p1-filtered-hit-5"]
    insert(tables, "alert_rules", [rule])
    add_baseline(tables, rule, share(28, 100, "hit_at_5"))
    add_run(tables, rule, share(21, 100, "hit_at_5"))
    assert 0.28 - 0.21 > 0.07
    assert only(alerts(tables))["status"] == "ok"


@pytest.mark.parametrize("direction", [-1, 1])
@pytest.mark.parametrize(("shift", "fires"), [(0.0499, False), (0.05, False), (0.0501, True)])
@pytest.mark.parametrize("rule", DISTANCES, ids=ids(DISTANCES))
def test_median_distance_fires_beyond_the_threshold_either_way(tables, rule, direction, shift, fires):
    before = [{"median_gold_distance": 0.4 + i / 1000} for i in range(101)]
    after = [{"median_gold_distance": o["median_gold_distance"] + direction * shift} for o in before]
    insert(tables, "alert_rules", [rule])
    add_baseline(tables, rule, before)
    add_run(tables, rule, after)
    row = only(alerts(tables))
    assert row["is_fired"] is fires
    assert row["baseline_value"] == pytest.approx(0.45)
    assert row["difference"] == pytest.approx(direction * shift)
    # every pair moved alike, so the interval is one value; the baseline's own median is known to about a hundredth
    assert row["ci_low"] == pytest.approx(row["ci_high"]) == pytest.approx(direction * shift)
    assert 0 < row["minimum_detectable_effect"] < 0.02
    assert row["can_detect"] is True


# Nine of 20 companies differ with a chance of sqrt(0.8) where each does with this (scipy's binomial)
DIFFERS = 0.5639413200144611


@pytest.mark.parametrize(("n", "enough"), [(228, False), (229, True)])
def test_seven_points_need_229_anchors(tables, n, enough):
    """The test sees a change of 7 points all one way once (0.07 - 1 / n)² > 3.0407² * 0.07 * 0.93 / n, from 150.05 on.

    For the evidence nine of 20 companies have to differ: 1 - 0.93 ** (n / 20) = 0.5639, from 228.7 on.
    """
    assert binom.sf(8, 20, DIFFERS) == pytest.approx(0.8**0.5) and 20 * np.log(1 - DIFFERS) / np.log(0.93) < 229
    rule = RULES["p1-filtered-hit-5"]
    insert(tables, "alert_rules", [rule])
    for add in (add_baseline, add_run):
        add(tables, rule, share(n // 2, n, "hit_at_5"))
    row = only(alerts(tables))
    assert (row["status"], row["can_detect"], row["e_value"]) == ("ok", enough, 1.0)
    assert ("enough to see" if enough else "too few to see") in row["message"]
    assert (row["n_to_tell"], row["n_clusters_to_tell"]) == ((None, None) if enough else (229, 21))


def test_how_many_would_tell_does_not_depend_on_how_few_there_are(tables):
    """A tenth of the baseline's 20 % is the threshold: (0.02 - 1 / n)² exceeds 3.0407² * 0.02 * 0.98 / n from 548.2 on,
    and nine companies differ from 20 * ln(1 - 0.5639) / ln(0.98) = 821.7 on, whether 40 or 400 are asked.
    """
    rule = RULES["p1-filtered-hit-5"] | {"relative_threshold": 0.1}
    insert(tables, "alert_rules", [rule])
    for n in (40, 400):
        tables.execute("delete from retrieval_runs; delete from retrieval_items; delete from baseline_items")
        tables.execute("delete from baselines; delete from retrieval_queries; delete from int_query_strata")
        for add in (add_baseline, add_run):
            add(tables, rule, share(n // 5, n, "hit_at_5"))
        row = only(alerts(tables))
        assert (row["threshold"], row["can_detect"]) == (pytest.approx(0.02), False)
        assert row["n_to_tell"] == 822


def test_what_is_too_few_names_how_many_would_tell(tables):
    """18 of 20, one of each company: to see 0.05 below 0.95 takes 20 * (MDE / 0.05)^2. There is hardly any evidence."""
    rule = RULES["p1-self-text"]
    insert(tables, "alert_rules", [rule])
    add_run(tables, rule, share(18, 20, rule["metric"]))
    row = only(alerts(tables))
    assert row["status"] == "too_few_to_tell"
    by_interval = 20 * (row["minimum_detectable_effect"] / 0.05) ** 2
    by_evidence = 20 * np.log(40) / np.log(row["e_value"]) if row["e_value"] > 1 else 0
    assert row["n_to_tell"] == row["n_clusters_to_tell"] == int(np.ceil(max(by_interval, by_evidence)))
    assert f"about {row['n_to_tell']:,} would tell, from" in row["message"]


@pytest.mark.parametrize(("companies", "enough"), [(7, False), (8, False), (9, True), (12, True)])
def test_few_companies_see_no_change(tables, companies, enough):
    """Of 7 the largest evidence is 26.8, half of which counts at a first build; of 8 it is 50, all moving alike.

    Of 600 anchors from 12 companies nine companies differ where 1 - (1 - 0.8429) ** (12 / 600) = 0.0363 are lost.
    """
    rule = RULES["p1-filtered-hit-5"]
    insert(tables, "alert_rules", [rule])
    add_baseline(tables, rule, share(540, 600, "hit_at_5"))
    same = [{"hit_at_5": i < 540, "cluster_id": f"company {i % companies}"} for i in range(600)]
    add_run(tables, rule, same)
    row = only(alerts(tables))
    assert (row["status"], row["can_detect"], row["n_to_tell"]) == ("ok", enough, None)
    assert f"from {companies} clusters, none of which differs" in row["message"]
    if companies == 12:
        assert row["minimum_detectable_effect"] == pytest.approx(1 - (1 - 0.8429225868656226) ** (12 / 600), rel=1e-3)
    if not enough:
        assert row["message"].endswith("(detectable: nothing, too few to see the threshold).")


@pytest.mark.parametrize(("companies", "lost"), [(7, 7), (12, 6), (12, 7)])
def test_what_few_companies_lose_is_too_few_to_tell(tables, companies, lost):
    """k clusters of one size that lose all they have: evidence of 2^k C(2k, k) / 4^k, 14.4 of six and 26.8 of seven."""
    rule = RULES["p1-filtered-hit-5"]
    insert(tables, "alert_rules", [rule])
    items = companies * 50
    add_baseline(tables, rule, share(items, items, "hit_at_5"))
    after = [{"hit_at_5": i % companies >= lost, "cluster_id": f"company {i % companies}"} for i in range(items)]
    add_run(tables, rule, after)
    row = only(alerts(tables))
    assert row["e_value"] == pytest.approx({6: 14.4375, 7: 26.8125}[lost])
    assert row["status"] == "too_few_to_tell"
    differing = "all" if companies == lost else lost
    assert f"from {companies} clusters, {differing} of which differ, evidence" in row["message"]


def test_anchors_that_change_sides_both_ways_make_it_harder(tables):
    """200 of 600 change sides, 100 each way: 3.0407 * sqrt(1/3 / 599) + 1 / 600 = 0.0734; the difference is 0."""
    rule = RULES["p1-filtered-hit-5"]
    insert(tables, "alert_rules", [rule])
    add_baseline(tables, rule, [{"hit_at_5": i < 300} for i in range(600)])
    add_run(tables, rule, [{"hit_at_5": 100 <= i < 400} for i in range(600)])
    row = only(alerts(tables))
    assert (row["difference"], row["p_value"], row["status"]) == (0, 1, "ok")
    assert row["minimum_detectable_effect"] == pytest.approx(APART * (1 / 3 / 599) ** 0.5 + 1 / 600, rel=1e-6)


@pytest.mark.parametrize(("lost", "e_value", "first"), [(7, 26.8125, "too_few_to_tell"), (8, 50.2734375, "fired")])
def test_evidence_adds_up_over_builds(tables, lost, e_value, first):
    """One anchor per company: m losses have the e-value C(2m, m) / 4^m * 2^m and p = 2 / 2^m.

    The first build counts half. Of 7 losses the third build has 26.8 * (1/2 + 1/6 + 1/12) = 20.1.
    """
    rule = RULES["p1-filtered-hit-5"]
    insert(tables, "alert_rules", [rule])
    add_baseline(tables, rule, share(20, 20, "hit_at_5"))
    rows = []
    for run_id in ("r1", "r1", "r2", "r3"):
        tables.execute("delete from retrieval_runs; delete from retrieval_items")
        add_run(tables, rule, [{"hit_at_5": i >= lost} for i in range(20)], run_id=run_id)
        rows.append(only(alerts(tables)))
    assert [row["status"] for row in rows] == [first, first, "too_few_to_tell" if lost == 7 else "fired", "fired"]
    assert [row["n_builds"] for row in rows] == [1, 1, 2, 3]
    assert rows[0]["p_value"] == pytest.approx(2 / 2**lost)
    assert rows[0]["e_value"] == pytest.approx(e_value)
    assert [row["e_process"] for row in rows] == pytest.approx([e_value * w for w in (1 / 2, 1 / 2, 2 / 3, 3 / 4)])
    assert ("as every build is looked at" in rows[0]["message"]) is (first != "fired")
    # 20 * ln 40 / ln 26.8 = 22.4: among 23 anchors there are 8 such losses, which fire
    assert rows[0]["n_to_tell"] == (23 if lost == 7 else None)


def test_what_was_mended_is_no_evidence_of_what_comes_later(tables):
    """Four builds of 19 hits among 20 anchors, each of another company, which lose 8, none, one for one won, and 7.

    E-values C(2m, m) / 4^m * 2^m of m losses: 50.3 fires at half. That nothing differs is no evidence, 1, so that the
    second build is the first of a new series; a loss for a gain is B(3/2, 3/2) / B(1/2, 1/2) * 2^2 = 1/2.
    """
    rule = RULES["p1-filtered-hit-5"]
    insert(tables, "alert_rules", [rule])
    add_baseline(tables, rule, share(19, 20, "hit_at_5"))
    rows = []
    lost = [range(8), [], [0], range(7)]
    for number, missed in enumerate(lost):
        tables.execute("delete from retrieval_runs; delete from retrieval_items")
        # in the third build one is lost and one won
        hits = [{"hit_at_5": i not in missed and (i < 19 or number == 2)} for i in range(20)]
        add_run(tables, rule, hits, run_id=f"r{number}")
        rows.append(only(alerts(tables)))
    assert [row["status"] for row in rows] == ["fired", "ok", "ok", "too_few_to_tell"]
    assert [row["e_value"] for row in rows] == pytest.approx([50.2734375, 1, 0.5, 26.8125])
    assert [row["n_builds"] for row in rows] == [1, 1, 2, 3]
    after = 1 / 2 + 0.5 / 6
    assert [row["e_process"] for row in rows] == pytest.approx([50.2734375 / 2, 1 / 2, after, after + 26.8125 / 12])


def test_what_one_model_shows_is_no_evidence_against_another(tables):
    """Two models under one threshold: the worse one's evidence is its own, and the other's first build counts half."""
    rule = RULES["p1-self"] | {"regime": "open"}
    insert(tables, "alert_rules", [rule])
    add_run(tables, rule, share(0, 200, "self_at_1"), model="bad", run_id="r1")
    add_run(tables, rule, share(186, 200, "self_at_1"), model="good", run_id="r2")
    bad, good = sorted(alerts(tables), key=lambda row: row["run_id"])
    assert (bad["status"], bad["n_builds"], good["n_builds"]) == ("fired", 1, 1)
    assert good["e_process"] == pytest.approx(good["e_value"] / 2) and good["status"] == "too_few_to_tell"


def test_an_exchange_of_ranks_is_none(tables):
    """A baseline has nine digits of 1/3. Five companies gain, and in each of two others 1 and 1/3 change places: their
    sums are 0, and of the signs of five 2 of 32 are as far from zero.
    """
    rule = SHARES[0] | {"metric": "mrr", "k": 30, "threshold": 0.01}
    insert(tables, "alert_rules", [rule])
    third = 0.333333333
    before = [third] * 5 + [1.0, 1.0] + [1.0] * 13 + [1.0] * 5 + [third, third] + [1.0] * 13
    after = [1.0] * 5 + [1 / 3, 1 / 3] + [1.0] * 13 + [1.0] * 5 + [1.0, 1.0] + [1.0] * 13
    add_baseline(tables, rule, [{"rr_at_30": value} for value in before])
    add_run(tables, rule, [{"rr_at_30": value} for value in after])
    assert only(alerts(tables))["p_value"] == 2 / 32


def test_medians_of_anchors_that_repeat_a_text_keep_the_rate():
    """19 companies of 20 anchors, half of which have one of 4 texts; distances change by text, up as often as down.

    By companies alone the p-value is under 0.05 in 65 of 100 such sets, and evidence of 40 in 44.
    """
    generator = np.random.default_rng(6)
    rule = {"rule_id": "r", "metric": "median_gold_distance", "comparison": "absolute_change"}
    rule |= {"threshold": 0.02, "relative_threshold": None}
    found = []
    for _ in range(120):
        companies = np.repeat(np.arange(19), 20)
        texts = np.where(generator.random(380) < 0.5, generator.integers(0, 4, 380), np.arange(4, 384))
        before = generator.uniform(0.4, 0.6, 380)
        after = before + generator.normal(0, 0.05, 384)[texts] + generator.normal(0, 0.02, 380)
        columns = {"cluster_id": companies.tolist(), "second_cluster_id": texts.tolist(), "value": after.tolist()}
        found.append(evidence(rule, columns | {"run_value": after.tolist(), "baseline_value": before.tolist()}))
    shown = np.array([each.p_value is not None and each.p_value < 0.05 for each in found])
    # 0.05 and three standard errors of 120 sets
    assert shown.mean() <= 0.05 + 3 * (0.05 * 0.95 / 120) ** 0.5
    assert np.mean([each.e_value >= 40 for each in found]) <= 0.05
    assert np.mean([each.ci_low > 0 or each.ci_high < 0 for each in found]) <= 0.1


def test_a_small_baseline_falls_to_nothing(tables):
    """12 of 600 anchors, 2 %, are a change of less than the threshold of 0.05, but all that there was."""
    rule = RULES["p1-open-hit-5"]
    insert(tables, "alert_rules", [rule])
    add_baseline(tables, rule, share(12, 600, "hit_at_5"))
    add_run(tables, rule, share(0, 600, "hit_at_5"))
    row = only(alerts(tables))
    assert (row["status"], row["threshold"], row["difference"]) == ("fired", 0.01, -0.02)
    assert row["ci_high"] < 0


def test_five_anchors_that_fall_to_nothing_are_too_few_to_tell(tables):
    """0.9 % open P2, as on the demo: of 600 anchors 5 are lost, each of another company.

    The interval leaves out no change, and the signs of five clusters have p = 2/32, above 0.05. Evidence of 5 losses is
    C(10, 5) / 4^5 * 2^5 = 7.875, of which the first build counts half; 40 are needed.
    """
    rule = RULES["p2-open-hit-5"]
    insert(tables, "alert_rules", [rule])
    add_baseline(tables, rule, [{"hit_at_5": i < 5} for i in range(600)])
    add_run(tables, rule, share(0, 600, "hit_at_5"))
    row = only(alerts(tables))
    assert row["difference"] == pytest.approx(-5 / 600) and row["threshold"] == pytest.approx(5 / 1200)
    assert (row["status"], row["p_value"], row["e_value"]) == ("too_few_to_tell", 2 / 32, pytest.approx(7.875))
    assert row["n_to_tell"] > 600


def test_a_message_says_all_there_is_to_know(tables):
    rule = RULES["p1-filtered-hit-5"]
    insert(tables, "alert_rules", [rule])
    add_baseline(tables, rule, share(110, 200, "hit_at_5"))
    add_run(tables, rule, share(80, 180, "hit_at_5"))
    assert only(alerts(tables))["message"] == (
        "P1 p1-filtered-hit-5: run r (p1, filtered, dense, m) has hit@5 0.444 over all anchors, baseline b 0.611, "
        "difference -0.167, threshold 0.07, p = 0.0001, n = 180 of 200 anchors of the baseline (20 missing), "
        "95 % interval -0.233 to -0.105 from 20 clusters, all of which differ, evidence over 1,000 after 1 build "
        "(20 is enough) (detectable: 0.090 if all change alike, too few to see the threshold)."
    )


@pytest.mark.parametrize(("lost", "is_sure"), [(lambda i: i % CLUSTERS < 10, False), (lambda i: i < 300, True)])
def test_what_whole_companies_lose_is_a_lead(tables, lost, is_sure):
    """Half of 600 anchors are lost: all of ten companies, which is as few as ten pairs, or half of each of twenty."""
    rule = RULES["p1-filtered-hit-5"]
    insert(tables, "alert_rules", [rule])
    add_baseline(tables, rule, share(600, 600, "hit_at_5"))
    add_run(tables, rule, [{"hit_at_5": not lost(i)} for i in range(600)])
    row = only(alerts(tables))
    assert (row["status"], row["is_interval_reliable"]) == ("fired", is_sure)
    assert ("(20 is enough): a lead: what differs is in too few clusters to be sure (" in row["message"]) != is_sure


def test_a_share_of_few_companies_below_its_threshold_is_a_lead():
    """Half of 100 anchors missed: under ten companies of one size do not tell how they vary."""
    below = {"rule_id": "r", "metric": "self_at_1", "comparison": "below", "threshold": 0.95}
    for n_clusters, is_reliable in ((9, False), (20, True)):
        columns = {"cluster_id": [i % n_clusters for i in range(100)], "second_cluster_id": [None] * 100}
        missed = [float(i >= 50) for i in range(100)]
        found = evidence(below, columns | {"value": missed, "run_value": missed, "baseline_value": [None] * 100})
        assert found.is_interval_reliable is is_reliable


def test_only_covered_anchors_of_the_stratum_with_the_same_text_are_compared(tables):
    rule = RULES["p1-filtered-hit-5"] | {"stratum_by": "section_id", "stratum": "ITEM_7"}
    insert(tables, "alert_rules", [rule])
    add_baseline(tables, rule, [{"is_covered": i != 0} for i in range(6)])
    add_run(tables, rule, [{"is_covered": i != 1, "hit_at_5": i < 4} for i in range(6)])
    tables.execute(
        "update int_query_strata set stratum = 'ITEM_8' where query_id = 'p1:s2' and stratum_by = 'section_id'"
    )
    tables.execute("update retrieval_queries set text_hash = 'changed' where sentence_id = 's3'")
    row = only(alerts(tables))
    # s0, s1: no gold then or now; s2: another stratum; s3: another text; s4, s5 were hits and are no longer
    assert (row["n"], row["n_baseline_anchors_missing"], row["value"], row["baseline_value"]) == (2, 1, 0.0, 1.0)


def test_without_a_baseline(tables):
    rule = RULES["p1-filtered-hit-5"]
    insert(tables, "alert_rules", [rule])
    add_run(tables, rule, share(3, 4, "hit_at_5"))
    row = only(alerts(tables))
    assert (row["status"], row["is_fired"], row["value"], row["n"]) == ("no_baseline", False, 0.75, 4)
    assert (row["can_detect"], row["minimum_detectable_effect"], row["difference"]) == (None, None, None)
    assert "no baseline of its own" in row["message"]


def test_a_baseline_of_another_corpus_is_no_alert(tables):
    rule = RULES["p1-filtered-hit-5"]
    insert(tables, "alert_rules", [rule])
    add_baseline(tables, rule, share(4, 4, "hit_at_5"), first=100)
    add_run(tables, rule, share(0, 4, "hit_at_5"))
    row = only(alerts(tables))
    assert (row["status"], row["baseline_id"], row["n_baseline_anchors_missing"]) == ("no_baseline", "b", 4)
    assert "none of the anchors of baseline b can be compared" in row["message"]


def test_a_replaced_model_is_compared_with_the_old_ones_figures(tables):
    rule = RULES["p1-filtered-hit-5"]
    insert(tables, "alert_rules", [rule])
    add_baseline(tables, rule, share(40, 40, "hit_at_5"), model="old")
    add_run(tables, rule, share(0, 40, "hit_at_5"), model="new")
    row = only(alerts(tables))
    assert (row["status"], row["embedding_model"]) == ("fired", "new")
    assert "baseline b of old 1.000" in row["message"]


def test_an_added_model_has_no_baseline_yet(tables):
    rule = RULES["p1-filtered-hit-5"]
    insert(tables, "alert_rules", [rule])
    add_baseline(tables, rule, share(4, 4, "hit_at_5"), model="old")
    add_run(tables, rule, share(4, 4, "hit_at_5"), model="old", run_id="r1")
    add_run(tables, rule, share(0, 4, "hit_at_5"), model="new", run_id="r2")
    assert {row["embedding_model"]: row["status"] for row in alerts(tables)} == {"old": "ok", "new": "no_baseline"}


def test_of_two_baselines_one_of_this_corpus_is_taken_then_the_latest(tables):
    rule = RULES["p1-filtered-hit-5"]
    insert(tables, "alert_rules", [rule])
    add_run(tables, rule, share(4, 4, "hit_at_5"))
    add_baseline(tables, rule, share(4, 4, "hit_at_5"), name="early")
    add_baseline(tables, rule, share(3, 4, "hit_at_5"), name="late", on="2026-02-01")
    add_baseline(tables, rule, share(4, 4, "hit_at_5"), name="elsewhere", on="2026-03-01", first=100)
    assert only(alerts(tables))["baseline_id"] == "late"


def test_a_rule_without_a_run_is_shown(tables):
    insert(tables, "alert_rules", [RULES["p1-filtered-hit-5"], RULES["p1-self"]])
    rows = {row["rule_id"]: row for row in alerts(tables)}
    assert {row["status"] for row in rows.values()} == {"not_measured"}
    assert "no current run of p1, filtered, dense" in rows["p1-filtered-hit-5"]["message"]
    assert rows["p1-self"]["run_id"] is None


def test_a_run_without_the_metric_is_shown(tables):
    rule = RULES["p1-self"]
    insert(tables, "alert_rules", [rule])
    add_run(tables, rule, [{"self_at_1": None}])
    row = only(alerts(tables))
    assert (row["status"], row["value"], row["n"]) == ("not_measured", None, 0)
    assert "has no self_at_1 where boilerplate_cluster is 1" in row["message"]


def test_a_rule_without_a_regime_applies_to_every_current_run(tables):
    rule = RULES["p1-self-text"]
    insert(tables, "alert_rules", [rule])
    for run_id, regime in (("r1", "open"), ("r2", "filtered"), ("r3", "company_year")):
        add_run(tables, rule | {"regime": regime}, [{}], run_id=run_id)
    tables.execute("update retrieval_runs set is_current = false where run_id = 'r3'")
    rows = alerts(tables)
    assert {row["regime"] for row in rows} == {"open", "filtered"}
    assert len({row["alert_id"] for row in rows}) == 2


@pytest.mark.parametrize(
    ("metric", "k", "column"),
    [("hit", 1, "hit_at_1"), ("recall", 3, "recall_at_3"), ("mrr", 10, "rr_at_10"), ("ndcg", 30, "ndcg_at_30")],
)
def test_below_takes_every_metric(tables, metric, k, column):
    rule = RULES["p1-self-text"] | {"metric": metric, "k": k, "threshold": 0.5}
    insert(tables, "alert_rules", [rule])
    add_run(tables, rule, [{column: 1}, {column: 0}, {column: 0}, {column: 1, "is_covered": False}])
    row = only(alerts(tables))
    assert (row["status"], row["n"]) == ("too_few_to_tell", 3)
    assert row["value"] == pytest.approx(1 / 3)
