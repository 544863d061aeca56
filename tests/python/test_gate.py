"""The gate: what is frozen is held against what stands in its place, and what is decided reaches people and CI."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import duckdb
import pyarrow.parquet as pq
import pytest
import yaml

from databases import in_memory, insert
from finrag import gate
from finrag.build.dbt_run import Run
from finrag.build.results import Results
from finrag.build.run import tell_gate
from finrag.errors import FinragError
from finrag.metrics import frozen
from warehouses import ROOT

COLUMNS = {
    **dict.fromkeys(("run_id", "place", "model", "unit_id", "cluster_id", "second_cluster_id"), "varchar"),
    **dict.fromkeys(("gold_window", "gold_predicate", "stratum_by", "stratum", "metric"), "varchar"),
    **{"k": "integer", "score": "double", "weight": "double"},
}


@pytest.fixture
def connection():
    with in_memory() as connection:
        connection.execute("create schema seeds; create schema metrics; create schema gold")
        connection.execute(f"create table seeds.metrics as from '{ROOT / 'seeds' / 'metrics.csv'}'")
        connection.execute("create table seeds.baselines as select 'first' as baseline_id")
        columns = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
        connection.execute(f"create table metrics.int_headline_scores ({columns})")
        yield connection


def scores(run_id: str, place: str, model: str, values: dict[str, float]) -> list[tuple]:
    """One item per cluster under Hit@5, by the item's id."""
    same = ("none", "evidence", "overall", "all", "hit", 5)
    return [(run_id, place, model, item, item, None, *same, value, 1.0) for item, value in values.items()]


def measured(connection, rows: list[tuple]):
    connection.execute("delete from metrics.int_headline_scores")
    insert(connection, "metrics.int_headline_scores", rows)
    return connection.table("metrics.int_headline_scores")


@pytest.fixture
def file(connection, tmp_path):
    """Of 20 questions dense with model m has all, bm25 every second one."""
    rows = scores("r1", "p3 dense", "m", {f"q{n} t": 1.0 for n in range(20)})
    rows += scores("r2", "p3 bm25", "", {f"q{n} t": float(n % 2) for n in range(20)})
    path = tmp_path / frozen.FILE
    pq.write_table(frozen.freeze(measured(connection, rows), "first"), path)
    return path


def compared(connection, file, rows: list[tuple], *unmeasured: tuple) -> dict[tuple, dict]:
    """By place, frozen model and model. unmeasured: run, place and model of runs without a score."""
    registries = {"registry": connection.table("seeds.metrics"), "baselines": connection.table("seeds.baselines")}
    values = ", ".join(str(run) for run in {row[:3] for row in rows} | {*unmeasured})
    runs = connection.sql(f"select * from (values {values}) as runs (run_id, place, model)")
    table = frozen.compare_with_frozen(connection, measured(connection, rows), runs, **registries, file=file)
    return {(row["place"], row["frozen_model"], row["model"]): row for row in table.to_pylist()}


def test_the_same_run_on_other_questions_differs_in_nothing(connection, file):
    """Another draw leaves half of the questions, and one of these has another text: nine are shared."""
    now = {f"q{n} t": 1.0 for n in range(10, 20)} | {f"new{n} t": 0.0 for n in range(30)}
    now["q10 other"] = now.pop("q10 t") - 1
    found = compared(connection, file, scores("r3", "p3 dense", "m", now))
    row = found["p3 dense", "m", "m"]
    assert (row["n_pairs"], row["difference"], row["n_a_only"], row["p_value"]) == (9, 0.0, 0, 1.0)
    assert (row["run_id_a"], row["run_id_b"]) == ("frozen r1", "r3")
    # what no longer runs is a row that says so
    assert found["p3 bm25", "", None]["n_pairs"] is None
    assert found["p3 bm25", "", None]["metric"] == "hit"


def test_what_a_run_no_longer_answers_counts_as_nothing_found(connection, file):
    """bm25 had 10 of 20; of those that it still answers it has all, of the others nothing is known."""
    dense = scores("r3", "p3 dense", "m", {f"q{n} t": 1.0 for n in range(16)})
    found = compared(connection, file, dense + scores("r4", "p3 bm25", "", {f"q{n} t": 1.0 for n in range(1, 9, 2)}))
    # q16 to q19 are asked of nobody
    row = found["p3 bm25", "", ""]
    assert (row["n_frozen"], row["n_pairs"], row["n_missing"]) == (20, 16, 12)
    assert (row["value_a"], row["value_b"], row["n_a_only"]) == (0.5, 0.25, 4)
    assert found["p3 dense", "m", "m"]["n_missing"] == 0
    silent = compared(connection, file, dense, ("r4", "p3 bm25", ""))["p3 bm25", "", ""]
    assert (silent["n_pairs"], silent["n_missing"], silent["value_b"], silent["n_a_only"]) == (16, 16, 0.0, 8)
    # where no run stands any more, nothing is compared
    gone = compared(connection, file, dense)["p3 bm25", "", None]
    assert (gone["n_frozen"], gone["n_missing"], gone["run_id_b"]) == (20, 16, None)


def test_a_run_of_several_answers_to_a_question_is_held_against_nothing(connection):
    """Which of them would be the pair is not known, so that none is missing; a failed call and its retry are one."""
    named = "suite, dataset, task, regime, strategy, judge_model, question_model, system, model_id, embedding_model"
    values = ", ".join(f"'x' as {name}" for name in named.split(", "))
    runs = connection.sql(f"select unnest(['one', 'two']) as run_id, {values}, 1 as replicate, true as is_current")
    rows = "('one', 'q', false), ('one', 'q', true), ('two', 'q', false), ('two', 'q', false)"
    answers = connection.sql(f"select * from (values {rows}) as answers (run_id, query_id, is_error)")
    assert [run_id for run_id, *_ in frozen.current_runs(runs, answers).fetchall()] == ["one"]


def test_a_swapped_model_is_held_against_the_one_before(connection, file):
    """8 of 20 questions are lost: one of the 2^8 ways to turn the signs is as far, on either side."""
    now = {f"q{n} t": float(n < 12) for n in range(20)}
    [row] = [row for row in compared(connection, file, scores("r4", "p3 dense", "two", now)).values() if row["n_pairs"]]
    assert (row["frozen_model"], row["model"], row["n_a_only"], row["n_b_only"]) == ("m", "two", 8, 0)
    assert (row["value_a"], row["value_b"], row["difference"]) == (1.0, 0.6, -0.4)
    assert row["p_value"] == pytest.approx(2 / 2**8)
    assert (row["n_clusters"], row["n_clusters_differing"]) == (20, 8)


def test_a_model_beside_the_frozen_one_is_not_in_its_place(connection, file):
    rows = scores("r1", "p3 dense", "m", {"q1 t": 1.0}) + scores("r4", "p3 dense", "two", {"q1 t": 0.0})
    assert set(compared(connection, file, rows)) == {("p3 dense", "m", "m"), ("p3 bm25", "", None)}


def test_a_baseline_of_another_corpus_or_of_another_name_says_nothing(connection, file, tmp_path):
    elsewhere = scores("r1", "p3 dense", "m", {"x t": 1.0})
    assert compared(connection, file, elsewhere) == {}
    connection.execute("update seeds.baselines set baseline_id = 'second'")
    same = scores("r1", "p3 dense", "m", {"q1 t": 1.0})
    assert compared(connection, file, same) == {}
    assert compared(connection, tmp_path / "none.parquet", same) == {}


ROW = {
    **{"kind": "baseline", "rule": "p3 dense hit@5", "severity": None, "place": "p3 dense", "run_id": "r4"},
    **{"baseline_id": "first", "model": "two", "baseline_model": "m", "metric": "hit", "k": 5, "value": 0.25},
    **{"reference_value": 1.0, "difference": -0.75, "ci_low": -0.9, "ci_high": -0.5, "p_adjusted": 0.001, "n": 20},
    **{"n_frozen": 22, "n_missing": 1, "n_clusters": 20},
    **{"n_lost": 15, "n_won": 0, "decision": "fails", "message": "p3 dense two: worse."},
}
OTHERS = (
    {"kind": "alert", "rule": "p1-self", "decision": "not compared", "message": "no run"},
    {"kind": "alert", "rule": "p2-self", "decision": "cannot tell", "message": "too few"},
    {"rule": "p3 bm25 hit@5", "model": None, "decision": "better", "message": "p3 bm25: better."},
    {"kind": "alert", "rule": "p1-open", "severity": "P2", "decision": "warns", "message": "moved"},
    {"rule": "p2 dense hit@5", "decision": "passes", "message": "p2: the same."},
)


@pytest.fixture
def decided(connection, file, monkeypatch) -> list[dict]:
    monkeypatch.setattr(gate, "frozen_file", lambda: file)
    measured(connection, scores("r4", "p3 dense", "two", {f"q{n} t": float(n < 5) for n in range(20)}))
    connection.execute(
        "create table gold.retrieval_queries as select 'q7' as query_id, 'Why <b>|x|</b>?' as query_text"
    )
    with pytest.raises(FinragError, match=r"holds no metrics\.gate"):
        gate.decide(connection)
    types = {str: "varchar", int: "bigint", float: "double", type(None): "varchar"}
    columns = ", ".join(f"{name} {types[type(value)]}" for name, value in ROW.items())
    connection.execute(f"create table metrics.gate ({columns})")
    for row in (ROW, *(ROW | other for other in OTHERS)):
        connection.execute(f"insert into metrics.gate values ({', '.join('?' * len(ROW))})", [*row.values()])
    return gate.decide(connection)


def test_every_case_has_a_name_of_its_own():
    """A rule of two regimes, a run that two baselines hold, and one held against two frozen models."""
    filtered = ROW | {"kind": "alert", "rule": "p1-self", "place": "p1 filtered dense", "baseline_id": None}
    rows = [
        *(filtered, filtered | {"place": "p1 open dense"}),
        *(ROW, ROW | {"baseline_id": "second"}, ROW | {"baseline_id": "second", "baseline_model": "n"}),
        ROW | {"kind": "alert"},
    ]
    cases = ElementTree.fromstring(gate.as_junit(rows)).iter("testcase")
    assert [(case.get("classname"), case.get("name")) for case in cases] == [
        ("finrag.alert", "p1-self p1 filtered dense two"),
        ("finrag.alert", "p1-self p1 open dense two"),
        ("finrag.baseline", "p3 dense hit@5 two first"),
        ("finrag.baseline", "p3 dense hit@5 two second m"),
        ("finrag.baseline", "p3 dense hit@5 two second n"),
        ("finrag.alert", "p3 dense hit@5 two"),
    ]


def test_what_fails_is_told_last(decided):
    assert gate.lines(decided) == [
        "Gate (metrics.gate): FAILED; 1 better, 1 cannot tell, 1 fails, 1 not compared, 1 passes, 1 warns",
        "  better: p3 bm25: better.",
        "  warns: moved",
        "  FAILS: p3 dense two: worse.",
    ]
    assert not gate.is_passed(decided)
    # what is better passes
    better = [row for row in decided if row["decision"] != "fails"]
    assert gate.is_passed(better) and gate.lines(better)[0].startswith("Gate (metrics.gate): passed; 1 better")


def test_a_frozen_run_that_differs_and_cannot_be_told_is_told():
    """Nothing is said of one that is the same, nor of an alert that has too few items."""
    cannot = ROW | {"decision": "cannot tell", "message": "p1: six differ."}
    rows = [cannot, cannot | {"difference": 0.0}, cannot | {"kind": "alert"}]
    assert gate.lines(rows) == ["Gate (metrics.gate): passed; 3 cannot tell", "  cannot tell: p1: six differ."]
    assert gate.as_markdown(rows).count("| cannot tell |") == 1


def test_the_queries_that_a_run_lost_are_named(decided):
    lost = decided[-1]["lost"]
    assert [each["query_id"] for each in lost] == sorted(f"q{n}" for n in range(5, 20))
    assert {each["query_id"]: each["query_text"] for each in lost}["q7"] == "Why <b>|x|</b>?"


def test_ci_reads_the_files(decided, tmp_path):
    files = {path.suffix: path.read_text(encoding="utf-8") for path in gate.write(decided, tmp_path / "reports")}
    assert not list((tmp_path / "reports").glob("*.partial"))
    held = json.loads(files[".json"])
    assert held["is_passed"] is False and held["rules"][-1]["message"] == "p3 dense two: worse."
    assert {name: held["rules"][-1][name] for name in ("n", "n_frozen", "n_missing")} == {
        **{"n": 20, "n_frozen": 22, "n_missing": 1},
    }
    suite = ElementTree.fromstring(files[".xml"])
    assert {name: suite.get(name) for name in ("tests", "failures", "skipped")} == {
        **{"tests": "6", "failures": "1", "skipped": "2"},
    }
    assert [skipped.get("message") for skipped in suite.iter("skipped")] == [
        *("not compared: no run", "cannot tell: too few"),
    ]
    [failure] = suite.iter("failure")
    assert failure.get("message") == "p3 dense two: worse."
    assert "| FAILS | p3 dense hit@5 two | 0.250 | 1.000 | -0.750 (-0.900 to -0.500) | 20 of 22 |" in files[".md"]
    assert "15 queries lost, 0 won" in files[".md"]
    # a question is text, whatever is in it
    assert r"`q7` Why \<b\>\|x\|\</b\>?" in files[".md"]


def test_what_an_earlier_build_decided_is_no_decision_of_one_that_decides_nothing(decided, tmp_path):
    gate.write(decided, tmp_path)
    with duckdb.connect(str(tmp_path / "empty.duckdb")):
        pass
    with pytest.raises(FinragError, match=r"holds no metrics\.gate"):
        gate.tell(tmp_path / "empty.duckdb", tmp_path)
    assert {path.name for path in tmp_path.iterdir()} & set(gate.FILES) == set()


def test_without_a_warehouse_nothing_that_was_decided_stands(decided, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FINRAG_DATABASE", "gone.duckdb")
    files = gate.write(decided, gate.REPORTS)
    with pytest.raises(FinragError, match=r"gone\.duckdb"):
        gate.tell_last()
    assert not any(file.exists() for file in files)


@pytest.mark.parametrize(("is_passed", "code", "is_said"), [(True, 1, True), (True, 0, False), (False, 1, False)])
def test_a_gate_that_passes_is_no_build_that_succeeded(monkeypatch, capsys, tmp_path, is_passed, code, is_said):
    monkeypatch.setattr(gate, "tell", lambda database: is_passed)
    results = Results([{"unique_id": "model.finrag.gate", "status": "success"}])
    assert tell_gate(Run(code, results), tmp_path)
    assert ("the build failed all the same" in capsys.readouterr().out) == is_said


def scripts() -> dict[str, list[str]]:
    """The commands of the examples for CI, in their order."""
    github = yaml.safe_load((ROOT / "docs" / "ci" / "github.yml").read_text(encoding="utf-8"))
    gitlab = yaml.safe_load((ROOT / "docs" / "ci" / "gitlab.yml").read_text(encoding="utf-8"))
    steps = github["jobs"]["gate"]["steps"]
    return {
        "github": [step["run"] for step in steps if "run" in step],
        "gitlab": [*gitlab["gate"]["script"], *gitlab["gate"]["after_script"]],
    }


def test_the_examples_for_ci_run(demo, tmp_path):
    """On a copy of the demo, where a build finds that nothing has changed; the gate passes, and CI has its files."""
    clone = demo.copy(tmp_path / "clone", published=True)
    clone.parsed()
    given = {"GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}
    # each once, in the order of either
    for command in dict.fromkeys([*scripts()["github"], *scripts()["gitlab"]]):
        said = clone.shell(command, **given)
        assert command != "make gate" or "Gate (metrics.gate): passed" in said
    assert (tmp_path / "summary.md").read_text(encoding="utf-8").startswith("### Gate (metrics.gate): passed")
    passes = clone.value("select count(*) from metrics.gate where kind = 'baseline' and decision = 'passes'")
    assert passes == clone.value("select count(*) from metrics.gate where kind = 'baseline'") > 20
    assert clone.value("select count(*) from metrics.builds where finished_at is not null and n_failed = 0") == 1
    reports = {path.name for path in (clone.project / "reports").iterdir()}
    assert reports == {"gate.json", "gate.xml", "gate.md", "finrag.html"}
