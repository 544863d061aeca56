"""Every analysis compiles, runs on the demo warehouse, finds something, and opens with the question it answers."""

from __future__ import annotations

import duckdb
import pytest

from warehouses import ROOT, Warehouse

ANALYSES = sorted(path.stem for path in (ROOT / "analyses").glob("*.sql"))


@pytest.fixture(scope="module")
def compiled(demo: Warehouse, tmp_path_factory) -> dict[str, str]:
    copy = demo.copy(tmp_path_factory.mktemp("compiled") / "demo")
    done = copy.dbt("compile", "--quiet", "--select", "resource_type:analysis")
    assert done.returncode == 0, copy.output
    folder = copy.target / "compiled" / "finrag" / "analyses"
    return {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.sql")}


@pytest.mark.parametrize("name", ANALYSES)
def test_analysis_answers_its_question(demo, compiled, name):
    source = (ROOT / "analyses" / f"{name}.sql").read_text(encoding="utf-8")
    assert source.startswith("-- ") and "?" in source.split("\nwith", 1)[0]
    # the demo has one model, one summariser, one reply each, no chunking, no stress deck and no answers without a search;
    # test_first_hour, test_summaries, test_chunking, test_perturb and test_answers_by_a_model have them
    of_others = ("is_my_model_better", "which_summariser_is_better", "is_my_retriever_better", "unsteady_replicates")
    not_there = ("which_chunking", "what_wording_costs", "answers_from_memory")
    assert demo.rows(compiled[name]) or name in (*of_others, *not_there)
    assert f"| {name} |" in (ROOT / "analyses" / "README.md").read_text(encoding="utf-8")


def test_replicates_of_an_item_are_counted_together(compiled):
    """Two of three replicates pass on q1, all are the same on q2; neither another model nor one reply alone counts."""
    scores = [
        ("p3 answers", "m", "q1 t", 1),
        ("p3 answers #2", "m", "q1 t", 0),
        ("p3 answers #13", "m", "q1 t", 1),
        ("p3 answers", "m", "q2 t", 0.5),
        ("p3 answers #2", "m", "q2 t", 0.5),
        ("p3 answers", "m", "q3 t", 1),
        ("p3 answers #2", "other", "q3 t", 0),
    ]
    with duckdb.connect() as connection:
        connection.execute("attach ':memory:' as finrag; create schema finrag.metrics")
        connection.execute("""
            create table finrag.metrics.int_headline_scores (
                place varchar, model varchar, unit_id varchar, gold_window varchar, gold_predicate varchar,
                metric varchar, k integer, score double
            )
        """)
        connection.executemany(
            "insert into finrag.metrics.int_headline_scores values (?, ?, ?, 'none', 'none', 'answer_accuracy', 0, ?)",
            scores,
        )
        columns = "place, model, item_id, n_replicates, pass_rate, value, spread"
        found = connection.execute(f"select {columns} from ({compiled['unsteady_replicates']})").fetchall()
    assert found == [
        ("p3 answers", "m", "q1", 3, pytest.approx(2 / 3), pytest.approx(2 / 3), 1),
        ("p3 answers", "m", "q2", 2, 0, 0.5, 0),
    ]


def test_a_retriever_of_ones_own_is_read_against_each_strategy_whichever_comes_first(demo, compiled):
    """BM25 taken for one's own: dense stands before it and chance after it, by their names."""
    told = compiled["is_my_retriever_better"].replace("where is_external", "where strategy = 'bm25' and is_current")
    rows = demo.rows(f"select against, difference, verdict, blind_draws from ({told}) where suite = 'p1' and mine = "
                     "'filtered bm25' and metric = 'hit@5'")  # fmt: skip
    found = {against: values for against, *values in rows}
    assert set(found) == {"filtered dense all-MiniLM-L6-v2", "filtered hybrid all-MiniLM-L6-v2", "filtered random"}
    difference, verdict, blind_draws = found["filtered dense all-MiniLM-L6-v2"]
    assert difference < 0 and not verdict.startswith("better") and 0.5 < blind_draws < 0.8
    assert found["filtered random"][0] > 0 and found["filtered random"][1].startswith("better")
