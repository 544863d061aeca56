"""finrag.evaluate: the warehouse's figures of rankings that are in no warehouse."""

from __future__ import annotations

import random

import numpy as np
import pytest
import pytrec_eval

from finrag import evaluate
from finrag.errors import FinragError

SAME = ("value", "ci_low", "ci_high", "n_eff", "deff", "minimum_detectable_effect")
BOUNDS = ("value_best", "value_worst")
COUNTS = ("n_total", "n_covered", "n_error", "n_measured", "n_clusters", "is_interval_reliable")


def values(*arguments, **settings) -> dict:
    rows = evaluate(*arguments, **settings).rows(named=True)
    return {(row["population"], row["metric"], row["k"]): row for row in rows}


def test_by_hand():
    """q1: gold second. q2: both gold tie, y (grade 1) stands first; at best x (grade 2) does. q3 has no gold."""
    qrels = {"q1": {"d2": 1}, "q2": {"x": 2, "y": 1}, "q3": {}}
    found = values(qrels, {"q1": {"d1": 0.9, "d2": 0.8}, "q2": {"y": 0.5, "x": 0.5}}, cutoffs=[1, 3])
    assert found["covered", "hit", 1]["value"] == 0.5
    assert found["covered", "mrr", 3]["value"] == 0.75
    assert found["all", "mrr", 3]["value"] == 0.5
    assert found["all", "coverage", 0]["value"] == pytest.approx(2 / 3)
    ndcg = found["covered", "ndcg", 1]
    assert (ndcg["value"], ndcg["value_best"], ndcg["value_worst"]) == (0.25, 0.5, 0.25)
    assert (ndcg["n_total"], ndcg["n_covered"], ndcg["n_measured"]) == (3, 2, 2)


def test_agrees_with_trec_eval_also_on_ties():
    draw = random.Random(3)
    names = [f"d{number}" for number in range(80)]
    qrels = {f"q{q}": {name: draw.choice([0, 1, 2]) for name in draw.sample(names, 12)} | {"d0": 1} for q in range(60)}
    run = {f"q{q}": {name: draw.choice([0.1, 0.2, 0.3, 0.7]) for name in draw.sample(names, 40)} for q in range(57)}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"success_5", "recall_5", "ndcg_cut_10"}).evaluate(run)
    ours = values(qrels, run, cutoffs=[5, 10])
    for metric, k, measure in (("hit", 5, "success_5"), ("recall", 5, "recall_5"), ("ndcg", 10, "ndcg_cut_10")):
        mean = sum(theirs.get(query, {}).get(measure, 0) for query in qrels) / len(qrels)
        assert ours["covered", metric, k]["value"] == pytest.approx(mean, abs=1e-9), metric


def test_a_ranking_ends_where_it_ends():
    """30 hits of different scores are all there is, and the gold is the last: nothing could stand elsewhere. Of 300 of
    one score it could stand first, or last."""
    apart = {f"d{number:02}": 100.0 - number for number in range(30)}
    found = values({"q": {"d29": 1}}, {"q": apart}, cutoffs=[1, 30])["covered", "mrr", 30]
    assert (found["value"], found["value_best"], found["value_worst"]) == (pytest.approx(1 / 30), None, None)
    alike = {f"d{number:03}": 1.0 for number in range(300)}
    found = values({"q": {"d029": 1}}, {"q": alike}, cutoffs=[1, 30])["covered", "mrr", 30]
    assert (found["value"], found["value_best"], found["value_worst"]) == (0, 1, 0)


def test_a_cutoff_far_below_the_last_hit_takes_no_longer():
    """It took as long as there are ranks: 2^31 did not end."""
    qrels, run = {"q": {"d1": 1, "d2": 2}}, {"q": {"d3": 3.0, "d1": 2.0, "d2": 1.0}}
    found = values(qrels, run, cutoffs=[3, 2**31, 2**62])
    for metric in ("hit", "recall", "mrr", "ndcg"):
        assert found["covered", metric, 2**62]["value"] == found["covered", metric, 2**31]["value"]
        assert found["covered", metric, 2**31]["value"] == found["covered", metric, 3]["value"] > 0


def test_scores_and_grades_may_be_any_numbers():
    qrels, run = {"q": {"a": True, "b": 0}}, {"q": {"a": 10**20, "b": np.float32(3)}}
    found = values(qrels, run, cutoffs=np.array([1]))
    assert found["covered", "mrr", 1]["value"] == 1


@pytest.mark.parametrize("strategy", ["dense", "multi_path", "random"])
def test_gives_the_figures_of_the_warehouse(demo, strategy):
    gold, run, clusters = {}, {}, {}
    for query, cluster in demo.rows("select query_id, cluster_id from gold.retrieval_queries where suite = 'p3'"):
        gold[query], clusters[query] = {}, cluster
    evidence = "select query_id, sentence_id, grade from gold.retrieval_gold where gold_predicate = 'evidence'"
    for query, sentence, grade in demo.rows(evidence + " and suite = 'p3'"):
        gold[query][sentence] = grade
    hits = demo.rows(
        "select query_id, sentence_id, score from retrieval.retrieval_hits inner join retrieval.retrieval_runs"
        " using (run_id) where suite = 'p3' and is_current and strategy = $strategy",
        {"strategy": strategy},
    )
    for query, sentence, score in hits:
        run.setdefault(query, {})[sentence] = score
    ours = values(gold, run, clusters=clusters)
    columns = ("population", "metric", "k", *COUNTS, *SAME, *BOUNDS)
    theirs = demo.rows(
        f"select {', '.join(columns)} from metrics.metric_values_by_run where suite = 'p3' and strategy = $strategy"
        " and is_current and variant = 'evidence' and stratum_by = 'overall'"
        " and metric in ('coverage', 'hit', 'recall', 'mrr', 'ndcg')",
        {"strategy": strategy},
    )
    assert len(theirs) == len(ours)
    for row in (dict(zip(columns, values, strict=True)) for values in theirs):
        mine = ours[row["population"], row["metric"], row["k"]]
        assert {name: mine[name] for name in COUNTS} == {name: row[name] for name in COUNTS}
        assert {name: mine[name] for name in SAME} == pytest.approx({name: row[name] for name in SAME}, abs=1e-12)
        # a list of the warehouse may go on with the score of its last hit, a ranking ends where it ends
        if mine["value_best"] is not None:
            assert row["value_worst"] - 1e-12 <= mine["value_worst"] < mine["value_best"] <= row["value_best"] + 1e-12


@pytest.mark.parametrize(
    ("qrels", "run", "settings", "message"),
    [
        ({}, {}, {}, "qrels are empty"),
        ({"q": {"d": 3}}, {}, {}, "grade 3. Allowed: 0, 1 and 2"),
        ({"q": {"d": 1}}, {"q": {"d": float("nan")}}, {}, "score nan. Allowed: finite 32-bit numbers"),
        # two of them would be equal
        ({"q": {"d": 1}}, {"q": {"c": 3.4e38, "d": 1e39}}, {}, r"document d: score 1e\+39. Allowed: finite 32-bit"),
        ({"q": {"d": 1}}, {"q": {"d": 10**400}}, {}, "Allowed: finite 32-bit numbers"),
        ({"q": {"d": 1}}, {"q": {"d": "0.5"}}, {}, "score '0.5'. Allowed: finite 32-bit numbers"),
        ({"q": {"d": 1}}, {"q": {7: 1.0}}, {}, "run: id 7 is of type int. Allowed: text, as '7'"),
        ({1: {"d": 1}}, {}, {}, "qrels: id 1 is of type int"),
        ({"q": {"d": 1}}, {}, {"cutoffs": [0]}, "Allowed: a list of whole numbers from 1 to 2"),
        ({"q": {"d": 1}}, {}, {"cutoffs": [2**62 + 1]}, "Allowed: a list of whole numbers from 1 to 2"),
        ({"q": {"d": 1}}, {}, {"cutoffs": []}, r"cutoffs are \[\]. Allowed: a list of whole numbers"),
        ({"q": {"d": 1}}, {}, {"cutoffs": 5}, "cutoffs are 5. Allowed: a list of whole numbers from 1 to 2"),
        ({"q": {"d": 1}}, {}, {"cutoffs": "15"}, "Allowed: a list of whole numbers from 1 to 2"),
        ({"q": {"d": 1}}, {}, {"cutoffs": [True]}, r"cutoffs are \[True\]. Allowed: a list of whole numbers"),
        (None, {}, {}, "qrels: of type NoneType. Allowed: a mapping of query to a mapping of document to grade"),
        ({"q": None}, {}, {}, "qrels, query 'q': of type NoneType. Allowed: a mapping"),
        ({"q": {"d"}}, {}, {}, "qrels, query 'q': of type set. Allowed: a mapping"),
        (
            {"q": {"d": 1}},
            None,
            {},
            "run: of type NoneType. Allowed: a mapping of query to a mapping of document to score",
        ),
        ({"q": {"d": 1}}, {"q": ["d"]}, {}, "run, query 'q': of type list. Allowed: a mapping"),
        ({"q": {"\ud800": 1}}, {}, {}, r"qrels: id '\\ud800' has a character that no file can hold"),
        ({"q\0": {"d": 1}}, {}, {}, r"qrels: id 'q\\x00' has a character that no file can hold. Allowed: text without"),
        ({"q": {"d": 1}}, {}, {"clusters": ["q"]}, "clusters are of type list. Allowed: a mapping of query to cluster"),
        ({"q": {"d": [1]}}, {}, {}, r"grade \[1\]. Allowed: 0, 1 and 2"),
        ({"q": {"d": 1}}, {}, {"clusters": {}}, "clusters name none for 1 query of qrels, such as q"),
        ({"q": {"d": 1}}, {}, {"clusters": {"q": None}}, "clusters, query q: None. Allowed: text or a whole number"),
        ({"q": {"d": 1}}, {}, {"clusters": {"q": float("nan")}}, "clusters, query q: nan. Allowed: text or a whole"),
        ({"q1": {"d": 1}}, {"1": {"d": 1}}, {}, "none of its queries, such as '1', is one of qrels, such as 'q1'"),
    ],
)
def test_what_cannot_be_used_is_said(qrels, run, settings, message):
    with pytest.raises(FinragError, match=message):
        evaluate(qrels, run, **settings)
