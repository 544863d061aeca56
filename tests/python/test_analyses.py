"""Every analysis compiles, runs on the demo warehouse, finds something, and opens with the question it answers."""

from __future__ import annotations

import re

import duckdb
import jinja2
import pyarrow
import pytest
import yaml

from warehouses import ROOT, Warehouse

ANALYSES = sorted(path.stem for path in (ROOT / "analyses").glob("*.sql"))


@pytest.fixture(scope="module")
def compiled(analysed: Warehouse) -> dict[str, str]:
    folder = analysed.target / "compiled" / "finrag" / "analyses"
    return {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.sql")}


@pytest.mark.parametrize("name", ANALYSES)
def test_analysis_answers_its_question(demo, compiled, name):
    source = (ROOT / "analyses" / f"{name}.sql").read_text(encoding="utf-8")
    assert source.startswith("-- ") and "?" in source.split("\nwith", 1)[0]
    # the demo has one model, one summariser, one reply each, no chunking, no stress deck and no answers without a
    # search; test_wheel, test_summaries, test_chunking and tests below have them
    of_others = ("is_my_model_better", "which_summariser_is_better", "is_my_retriever_better", "unsteady_replicates")
    not_there = ("which_chunking", "what_wording_costs", "answers_from_memory")
    assert demo.rows(compiled[name]) or name in (*of_others, *not_there)
    readme = (ROOT / "analyses" / "README.md").read_text(encoding="utf-8")
    assert f"| {name} |" in readme or f"| {name} * |" in readme


def test_an_analysis_that_the_published_file_does_not_answer_is_marked():
    exposures = yaml.safe_load((ROOT / "models" / "exposures.yml").read_text(encoding="utf-8"))["exposures"]
    [published] = [exposure["depends_on"] for exposure in exposures if exposure["name"] == "bi_file"]
    needing = {
        name
        for name in ANALYSES
        for model in re.findall(r"ref\('\w+'\)", (ROOT / "analyses" / f"{name}.sql").read_text(encoding="utf-8"))
        if model not in published
    }
    readme = (ROOT / "analyses" / "README.md").read_text(encoding="utf-8")
    assert needing == set(re.findall(r"^\| (\w+) \* \|", readme, re.MULTILINE))


def test_a_question_that_is_traced_may_have_a_quote_in_it():
    source = (ROOT / "analyses" / "trace_a_miss.sql").read_text(encoding="utf-8")
    written = jinja2.Template(source).render(ref=str, var=lambda name: [20], setting=lambda name: "it's")
    assert len(duckdb.extract_statements(written)) == 1 and "= 'it''s'" in written


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


def in_memory(**tables: list[dict]) -> duckdb.DuckDBPyConnection:
    """A database finrag with tables by schema__name, whose columns are those of their first row."""
    connection = duckdb.connect()
    connection.execute("attach ':memory:' as finrag")
    for name, rows in tables.items():
        schema, table = name.split("__")
        connection.execute(f"create schema if not exists finrag.{schema}")
        connection.register("rows", pyarrow.Table.from_pylist(rows))
        connection.execute(f"create table finrag.{schema}.{table} as from rows")
    return connection


def test_other_words_are_told_by_search_and_metric(compiled):
    """The worst first; neither another kind of comparison nor another metric is shown."""
    row = {
        **{"comparison_kind": "wording", "suite": "p3_stress", "gold_predicate": "evidence", "stratum_by": "overall"},
        **{"metric": "hit", "k": 5, "label_a": "open dense m as_written", "label_b": "open dense m ticker"},
        **{"n_pairs": 40, "value_a": 0.5, "value_b": 0.6, "difference": 0.1, "ci_low": 0.05, "ci_high": 0.15},
        **{"p_adjusted": 0.01, "verdict": "better"},
    }
    worse = {
        "label_b": "open dense m year_missing",
        "value_b": 0.25,
        "difference": -0.25,
        "ci_low": -0.4,
        "ci_high": -0.1,
    }
    rows = [row, row | worse, row | {"metric": "recall"}, row | {"comparison_kind": "strategy"}]
    with in_memory(metrics__run_comparisons=rows) as connection:
        found = connection.execute(compiled["what_wording_costs"]).fetchall()
    head = ("p3_stress", "open dense m")
    assert found == [
        (*head, "year_missing", "hit@5", 40, 0.5, 0.25, "-0.250 (-0.400 to -0.100)", 0.01, "better"),
        (*head, "ticker", "hit@5", 40, 0.5, 0.6, "+0.100 (+0.050 to +0.150)", 0.01, "better"),
    ]


def test_what_comes_from_memory_is_told_in_words(compiled):
    """A model asked alone, with a context and with altered evidence; what is asked otherwise is not told."""
    value = {
        **{
            "run_id": "alone",
            "suite": "p3",
            "model_id": "m",
            "strategy": "closed_book",
            "replicate": 1,
            "task": "answer",
        },
        **{"population": "all", "stratum_by": "overall", "is_current": True, "metric": "answer_accuracy", "n_error": 2},
        **{"n_measured": 50, "value": 0.3, "ci_low": 0.2, "ci_high": 0.4},
    }
    altered = value | {"run_id": "altered", "strategy": "altered_evidence", "n_measured": 20, "n_error": 0}
    values = [
        value,
        value | {"metric": "false_abstention", "n_measured": 40, "value": 0.5, "ci_low": 0.4, "ci_high": 0.6},
        value | {"metric": "no_answer_accuracy", "n_measured": 10},
        value | {"run_id": "dense", "strategy": "dense", "value": 0.9},
        value | {"population": "covered", "value": 0.99},
        altered | {"metric": "follows_context", "value": 0.7, "ci_low": 0.6, "ci_high": 0.8},
        altered | {"metric": "answers_from_memory", "value": 0.2, "ci_low": 0.1, "ci_high": 0.3},
        altered | {"metric": "states_neither_figure", "value": 0.1, "ci_low": 0.0, "ci_high": 0.2},
        altered | {"metric": "false_abstention", "value": 0.0, "ci_low": 0.0, "ci_high": 0.1},
        altered | {"n_measured": 0, "value": None},
    ]
    verdict = {
        **{"compared": "answers", "comparison_kind": "strategy", "reference_run_id": "alone", "n": 48},
        **{"sentence": "dense m leads to right answers to 60 points more questions than closed_book m"},
    }
    strategies = [{"strategy": name, "method": name} for name in ("closed_book", "altered_evidence", "dense")]
    reasons = [{"suite": "p3", "reason": reason} for reason in ("not_stated", None, "not_stated", "in_words")]
    with in_memory(
        metrics__metric_values_by_run=values,
        metrics__verdicts=[verdict, verdict | {"reference_run_id": "bm25"}],
        seeds__retrieval_strategies=strategies,
        answers__int_altered_evidence=reasons,
    ) as connection:
        found = connection.execute(compiled["answers_from_memory"]).fetchall()
    assert found == [
        (
            *("p3", "m", "alone", 50),
            "of 50 questions that a rule judges 30 % (20 to 40) are answered rightly from nothing, 10 of which have no "
            "answer and are right to be left; of 40 others 50 % (40 to 60) are left",
            *(2, None),
        ),
        ("p3", "m", "with a context", 48, verdict["sentence"], 2, None),
        (
            *("p3", "m", "altered evidence", 20),
            "of 20 answers to evidence with other figures 70 % (60 to 80) state its figure, 20 % (10 to 30) that of "
            "the filing from memory, 10 % (0 to 20) another or both, 0 % (0 to 10) none",
            *(0, "2 not_stated, 1 in_words"),
        ),
    ]


def test_amounts_are_held_against_facts_of_their_own_unit(compiled):
    """$40 million is 2 million off, 4 half millions; 5.0 % is 0.1 off, 2 of 0.05, and nearer, though 0.1 is no dollar.

    A sentence with an amount that a fact confirms is left out, and so is none of another KPI in the same sentence.
    """
    dollars = {
        **{"sentence_id": "s", "kpi_label": "revenue", "amount_index": 0, "raw_text": "$40 million", "unit": "USD"},
        **{"match_basis": "level", "fact_value": 38e6, "difference": 2e6, "tolerance": 0.5e6, "is_match": False},
    }
    percent = dollars | {"amount_index": 1, "raw_text": "5.0%", "unit": "%", "match_basis": "percent_change"}
    percent |= {"fact_value": 4.9, "difference": 0.1, "tolerance": 0.05}
    far = percent | {"amount_index": 2, "raw_text": "12.0%", "fact_value": 4.9, "difference": 7.1}
    confirmed = percent | {"kpi_label": "debt", "is_match": True}
    rows = [far, dollars, percent, dollars | {"kpi_label": "debt"}, confirmed]
    sentence = {"company_name": "A", "report_year": 2020, "section_id": "ITEM_7", "sentence_text": "Revenue rose."}
    with in_memory(
        bundles__kpi_fact_matches=rows, corpus__fct_sentences=[sentence | {"sentence_id": "s"}]
    ) as connection:
        found = connection.execute(compiled["amounts_that_disagree"]).fetchall()
    assert found == [
        (
            *("A", 2020, "revenue", "$40 million | 5.0% | 12.0%", "5.0%", "%", "percent_change", 4.9, 0.1),
            *(pytest.approx(2), "ITEM_7", "Revenue rose."),
        )
    ]


def test_misses_are_counted_by_model_whether_or_not_their_reason_is_known(compiled):
    """Of four queries in item 7, a is found and b, c missed by m; n misses c alone. c is beyond m's hardest cases.

    a is a hardest case too, found at rank 3; neither an earlier run nor a query without gold counts.
    """
    item = {
        **{"run_id": "m", "suite": "p1", "regime": "filtered", "strategy": "dense", "embedding_model": "m"},
        **{"query_id": "a", "gold_window": "5", "gold_predicate": "positional", "is_covered": True},
        **{"is_error": False, "first_gold_rank": 3, "hit_at_5": True},
    }
    missed = {"first_gold_rank": 9, "hit_at_5": False}
    items = [
        *(item, item | {"query_id": "b"} | missed | {"first_gold_rank": None}, item | {"query_id": "c"} | missed),
        item | {"query_id": "d"} | missed | {"is_covered": False},
        *(item | {"run_id": "old", "query_id": "a"} | missed, item | {"query_id": "a", "strategy": "hybrid"} | missed),
        *(item | {"run_id": "n", "embedding_model": "n", "query_id": "c"} | missed,),
    ]
    case = {"run_id": "m", "query_id": "b", "gold_window": "5", "gold_predicate": "positional"}
    case |= {"hardness_rank": 1, "reason_class": "boilerplate", "nearest_text": "above"}
    cases = [case, case | {"query_id": "a", "hardness_rank": 2}]
    cases += [case | {"run_id": "n", "query_id": "c", "reason_class": "none"}]
    queries = [{"query_id": id_, "section_id": "ITEM_7", "company_name": id_, "query_text": id_} for id_ in "abcd"]
    with in_memory(
        metrics__retrieval_items=items,
        metrics__hardest_cases=cases,
        gold__retrieval_queries=queries,
        retrieval__retrieval_runs=[{"run_id": run, "is_current": run != "old"} for run in ("m", "n", "old")],
    ) as connection:
        found = connection.execute(compiled["where_retrieval_fails"]).fetchall()
    assert found == [
        ("p1", "m", "ITEM_7", "boilerplate", 1, 3, 1, 1, "b", "above"),
        ("p1", "m", "ITEM_7", "not looked into", 1, 3, 0, 1, None, None),
        ("p1", "n", "ITEM_7", "none", 1, 1, 0, 1, "c", "above"),
    ]


def test_a_wording_is_counted_once_per_filing(compiled):
    """Two filings have it, one of them twice."""
    row = {
        **{"candidate_type": "definition", "topic_label": "ebitda", "name": "A", "cik_int": 1, "report_year": 2020},
        **{"defined_term": "EBITDA", "section_name": "ITEM_7", "sentence_text": "We define EBITDA.", "filing_id": "a"},
        "sentence_id": "1",
    }
    rows = [row, row | {"sentence_id": "2", "sentence_text": "we define EBITDA."}]
    rows += [row | {"filing_id": "b", "report_year": 2021, "sentence_id": "3"}]
    with in_memory(bundles__v5_definition_bundles_sentences=rows) as connection:
        [found] = connection.execute(compiled["definitions_compared"]).fetchall()
    assert found == ("ebitda", "A", 2020, "EBITDA", "ITEM_7", "We define EBITDA.", 2)
