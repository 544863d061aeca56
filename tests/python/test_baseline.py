"""`make baseline`: which runs are frozen, and that alerts find nothing right after."""

from __future__ import annotations

import datetime
import json

import duckdb
import pyarrow.parquet as pq
import pytest

from csv_files import rows_of
from databases import in_memory
from finrag import baseline
from finrag.build.turn import note_of
from finrag.errors import FinragError
from finrag.metrics.frozen import scores_of_items
from warehouses import ROOT

TODAY = datetime.date(2026, 1, 31)


@pytest.fixture
def warehouse():
    """p1 filtered dense (rules name it) and p1 open bm25 (none does), one anchor each; an earlier run of the first."""
    with in_memory() as connection:
        for schema in ("seeds", "retrieval", "metrics", "gold"):
            connection.execute(f"create schema {schema}")
        rules = str(ROOT / "seeds" / "alert_rules.csv")
        connection.execute(f"create table seeds.alert_rules as select * from read_csv('{rules}', all_varchar = true)")
        connection.execute(
            "create table retrieval.retrieval_runs as select * from (values"
            " ('r1', 'p1', 'filtered', 'dense', 'm', 'c', 'g', true),"
            " ('r2', 'p1', 'open', 'bm25', 'none', 'c', 'g', true),"
            " ('r0', 'p1', 'filtered', 'dense', 'm', 'c', 'g', false))"
            " as r(run_id, suite, regime, strategy, embedding_model, corpus_version, gold_version, is_current)"
        )
        connection.execute(
            "create table metrics.retrieval_items (run_id varchar, query_id varchar, gold_window varchar,"
            " self_at_1 boolean, self_at_1_text boolean, is_covered boolean, hit_at_5 boolean, rr_at_30 double,"
            " median_gold_distance double)"
        )
        connection.execute(
            "insert into metrics.retrieval_items values"
            " ('r1', 'p1:b', '5', true, false, true, true, 1 / 3, 0.25),"
            " ('r1', 'p1:a', '5', true, true, false, false, 0, null),"
            " ('r1', 'p1:a', '3', true, true, false, false, 0, null),"
            " ('r0', 'p1:a', '5', true, true, false, false, 0, null),"
            " ('r2', 'p1:a', '5', null, null, true, true, 1, null)"
        )
        connection.execute(
            "create or replace table metrics.retrieval_items as"
            " select items.*, suite, regime, strategy, embedding_model, 'positional' as gold_predicate,"
            " false as is_error"
            " from metrics.retrieval_items as items inner join retrieval.retrieval_runs using (run_id)"
        )
        connection.execute(
            "create table gold.retrieval_queries as select * from (values ('p1', 'p1:a', 'a', 'ta', 0.5),"
            " ('p1', 'p1:b', 'b, \"b\"', 'tb', 0.5)) as q(suite, query_id, sentence_id, text_hash,"
            " inclusion_probability)"
        )
        connection.execute(
            "create table metrics.int_headline_scores as select 'r2' as run_id, 'p1 open bm25' as place, '' as model,"
            " 'p1:a ta' as unit_id, '1' as cluster_id, null as second_cluster_id, '5' as gold_window, 'positional' as"
            " gold_predicate, 'overall' as stratum_by, 'all' as stratum, 'hit' as metric, 5 as k, 1.0 as score,"
            " 1.0 as weight"
        )
        connection.execute("create table metrics.alerts (message varchar, is_fired boolean, severity varchar)")
        yield connection


@pytest.fixture
def seeds(tmp_path):
    """The shipped files with a row of an older baseline."""
    for name in ("baselines.csv", "baseline_items.csv"):
        header = (ROOT / "seeds" / name).read_text(encoding="utf-8").splitlines()[0]
        (tmp_path / name).write_text(f"{header}\nold{',' * header.count(',')}\n", encoding="utf-8")
    return tmp_path


def test_anchors_that_the_draw_left_out_are_not_frozen_again(warehouse, seeds):
    warehouse.execute("update gold.retrieval_queries set inclusion_probability = null where sentence_id = 'a'")
    baseline.freeze(warehouse, "first", "", TODAY, seeds)
    frozen = {row["sentence_id"] for row in rows_of(seeds / "baseline_items.csv")}
    assert frozen == {'b, "b"'}


def test_the_runs_of_the_rules_replace_what_was_frozen(warehouse, seeds):
    lines = baseline.freeze(warehouse, "first", "a, note", TODAY, seeds)
    assert lines == [
        "      2 anchors of p1, filtered, dense, m (run r1)",
        "      1 items of p1 open bm25: hit",
        "in the place of old",
    ]
    assert pq.read_table(seeds / "baseline_scores.parquet")["baseline_id"].to_pylist() == ["first"]
    assert rows_of(seeds / "baselines.csv") == [
        {
            "baseline_id": "first",
            "suite": "p1",
            "regime": "filtered",
            "strategy": "dense",
            "embedding_model": "m",
            "run_id": "r1",
            "corpus_version": "c",
            "gold_version": "g",
            "n_anchors": "2",
            "frozen_on": "2026-01-31",
            "note": "a, note",
        }
    ]


def test_items_are_those_of_the_rules_gold(warehouse, seeds):
    baseline.freeze(warehouse, "first", "", TODAY, seeds)
    kept = ("sentence_id", "text_hash", "gold_window", "self_at_1", "self_at_1_text", "is_covered", "hit_at_5")
    rows = rows_of(seeds / "baseline_items.csv")
    assert [tuple(row[name] for name in kept) for row in rows] == [
        ("a", "ta", "5", "true", "true", "false", "false"),
        ('b, "b"', "tb", "5", "true", "false", "true", "true"),
    ]
    assert [(row["rr_at_30"], row["median_gold_distance"]) for row in rows] == [("0.0", ""), ("0.333333333", "0.25")]
    assert not list(seeds.glob("*.partial"))


def test_freezing_twice_gives_the_same_files(warehouse, seeds):
    baseline.freeze(warehouse, "first", "", TODAY, seeds)
    before = [(seeds / name).read_bytes() for name in ("baselines.csv", "baseline_items.csv")]
    baseline.freeze(warehouse, "first", "", TODAY, seeds)
    assert [(seeds / name).read_bytes() for name in ("baselines.csv", "baseline_items.csv")] == before


def test_a_broken_index_is_not_frozen(warehouse, seeds):
    warehouse.execute("insert into metrics.alerts values ('P0 p1-self: …', true, 'P0'), ('P1 …', true, 'P1')")
    before = (seeds / "baselines.csv").read_bytes()
    with pytest.raises(FinragError, match=r"index is broken.*\n  P0 p1-self: …$"):
        baseline.freeze(warehouse, "first", "", TODAY, seeds)
    assert (seeds / "baselines.csv").read_bytes() == before


def test_nothing_to_freeze_is_said(warehouse, seeds):
    warehouse.execute("update retrieval.retrieval_runs set is_current = false where run_id = 'r1'")
    with pytest.raises(FinragError, match="No current run is one that"):
        baseline.freeze(warehouse, "first", "", TODAY, seeds)


@pytest.mark.parametrize("name", ["", "a b", "a;b", "../a", "--help", "-h"])
def test_names_that_are_none(warehouse, seeds, name):
    with pytest.raises(FinragError, match="cannot name a baseline"):
        baseline.freeze(warehouse, name, "", TODAY, seeds)


def test_a_run_with_several_answers_to_a_question_is_not_frozen():
    """`once` answers q1 and q2, `twice` q1 two times: which answer would be the pair of a later one is not known."""
    with in_memory() as connection:
        connection.execute(
            "create table items as select run_id, 'p3' as suite, query_id, answer_id, query_id as cluster_id,"
            " true as is_covered, false as is_error, true as is_correct from (values ('once', 'q1', 'a'),"
            " ('once', 'q2', 'b'), ('twice', 'q1', 'c'), ('twice', 'q1', 'd')) as t(run_id, query_id, answer_id)"
        )
        endpoints = connection.sql(
            "select 'answers' as compared, 'p3' as suite, 'none' as gold_window, 'answer' as gold_predicate,"
            " 'answer_accuracy' as metric, 0 as k"
        )
        texts = connection.sql("select 'p3' as of_suite, unnest(['q1', 'q2']) as of_query, 'v' as text_version")
        registry = connection.read_csv(str(ROOT / "seeds" / "metrics.csv"))
        [scores] = scores_of_items(endpoints, registry, texts, {"answer_items": connection.table("items")})
        found = scores.project("run_id, unit_id, score").order("unit_id").fetchall()
    assert found == [("once", "q1 v", 1.0), ("once", "q2 v", 1.0)]


def test_a_warehouse_between_two_builds_is_not_frozen(tmp_path, monkeypatch):
    """Of a build that was killed some runs are its own, and some of the build before."""
    database = tmp_path / "finrag.duckdb"
    duckdb.connect(str(database)).close()
    monkeypatch.setenv("FINRAG_DATABASE", str(database))
    said = {"process": 1, "since": "2026-01-31 10:00:00", "is_gate_decided": False}
    note_of(database).write_text(json.dumps(said), encoding="utf-8")
    with pytest.raises(FinragError, match=r"2026-01-31 10:00:00.* Runs of two builds would be frozen as one"):
        baseline.freeze_warehouse("after", "")
    note_of(database).write_text(json.dumps(said | {"is_gate_decided": True}), encoding="utf-8")
    with pytest.raises(FinragError, match="holds no measured runs"):
        baseline.freeze_warehouse("after", "")
