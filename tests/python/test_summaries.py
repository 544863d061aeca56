"""Summaries: files of pairs, long sources in pieces, the baseline summariser, and what a warehouse makes of them."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace

import duckdb
import pyarrow
import pyarrow.parquet
import pytest

from csv_files import rows_of
from finrag.errors import FinragError
from finrag.inputs.summaries import GRAMMAR, load_pairs, source_id
from finrag.judging.requests import make_request, nearest_sentences, split_passage
from finrag.llm.models import Model
from finrag.summaries.chunks import NO_LIMIT, cut, sentence_tokens, token_budget
from finrag.summaries.sources import split_sources
from finrag.tasks.judge_claims import TASK as JUDGE
from finrag.tasks.summarise_mdna import GENERAL, TASK, THEMES
from finrag.tasks.summarise_mdna.extractive import is_prose
from finrag.tasks.summarise_mdna.general import within
from test_judging import CHANGED_NUMBER, REVERSED, SOURCE, SUMMARY, SWAPPED_COMPANY, UNRELATED
from warehouses import OTHER_ANSWERS

GOOD = {"source": "Sales rose.  They rose again.", "summary": "Sales rose.", "system": "x"}
PLANTED = {
    "copy": SUMMARY,
    "empty": "",
    "changed_number": CHANGED_NUMBER,
    "swapped_company": SWAPPED_COMPANY,
    "reversed": REVERSED,
    "unrelated": UNRELATED,
}


def load(setting: str) -> list[dict]:
    relation = load_pairs(duckdb.connect(), setting)
    return [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_pairs_are_read_from_each_kind_of_file(tmp_path, kind):
    rows = [
        GOOD | {"reference": "Up."},
        GOOD | {"source": "Sales\nrose. They rose again.", "summary": "", "reference": ""},
    ]
    path = tmp_path / f"pairs.{kind}"
    if kind == "csv":
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, fieldnames=list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    elif kind == "jsonl":
        path.write_text("\n".join(map(json.dumps, rows)) + "\n\n")
    else:
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    first, second = load(f"theirs={path}")
    assert (first["reason"], first["dataset"], first["system"]) == (None, "theirs", "x")
    assert (first["summary_text"], first["reference_text"], first["replicate"]) == ("Sales rose.", "Up.", 1)
    # the same source up to spaces; an empty summary is one, and the system's second
    assert second["source_id"] == first["source_id"] == source_id("Sales rose. They rose again.")
    assert (second["summary_text"], second["reference_text"], second["replicate"]) == ("", None, 2)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ('{"source": "S.", ', "unreadable_row"),
        ('["source"]', "unreadable_row"),
        (json.dumps(GOOD | {"source": 7}), "bad_value"),
        (json.dumps(GOOD | {"source": " "}), "no_source"),
        (json.dumps(GOOD | {"system": None}), "no_system"),
        (json.dumps({key: GOOD[key] for key in ("source", "system")}), "no_summary"),
        (json.dumps(GOOD), "duplicate_row"),
    ],
)
def test_a_row_that_cannot_be_used_is_a_row_with_its_reason(tmp_path, row, reason):
    path = tmp_path / "pairs.jsonl"
    path.write_text(f"{json.dumps(GOOD)}\n{row}\n")
    good, bad = load(f"theirs={path}")
    assert good["reason"] is None
    assert (bad["reason"], bad["source_row"]) == (reason, 2)
    assert bad["detail"]


def test_a_file_that_cannot_be_read_is_a_row_too(tmp_path):
    for name, content in (("broken.parquet", b"PAR?"), ("latin.csv", b"source\xff"), ("pairs.xlsx", b"")):
        (tmp_path / name).write_bytes(content)
        (row,) = load(f"theirs={tmp_path / name}")
        assert (row["reason"], row["source_row"]) == ("unreadable_file", 0)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("pairs.csv", "without a path"),
        ("a b=", "without a path"),
        ("a/b=pairs.csv", "Allowed are letters"),
        ("mdna=pairs.csv", "which is a suite here"),
        ("mine=nowhere/*.csv", "matches no file"),
        ("'mine", "cannot be read"),
    ],
)
def test_a_wrong_setting_says_what_is_wrong(setting, message):
    with pytest.raises(FinragError, match=message):
        GRAMMAR.parse(setting)


def test_sources_are_split_once(tmp_path):
    path = tmp_path / "pairs.jsonl"
    rows = [GOOD, GOOD | {"system": "y"}, GOOD | {"source": "Sales rose. They rose   again.", "system": "z"}]
    path.write_text("\n".join(map(json.dumps, rows)))
    connection = duckdb.connect()
    found = split_sources(connection, load_pairs(connection, f"theirs={path}")).fetchall()
    key = source_id(GOOD["source"])
    assert found == [(key, 0, f"{key}_0", "Sales rose."), (key, 1, f"{key}_1", "They rose again.")]


# --- long sources ----------------------------------------------------------------------------------------------------

SMALL = Model("small", "openai", "s", context_tokens=16_000, max_output_tokens=1_000)


def test_pieces_are_all_sentences_in_order_and_fit():
    sizes = [30, 40, 30, 120, 10, 10, 90, 1]
    pieces = list(cut(sizes, 100))
    assert pieces == [(0, 2, 100), (3, 3, 120), (4, 5, 20), (6, 7, 91)]
    assert [place for first, last, _ in pieces for place in range(first, last + 1)] == list(range(len(sizes)))
    assert list(cut([], 100)) == []
    assert list(cut(sizes, NO_LIMIT)) == [(0, 7, sum(sizes))]


def test_the_budget_is_that_of_the_smallest_window():
    large = replace(SMALL, model_id="large", context_tokens=200_000)
    baseline = Model("baseline", "baseline", "rules")
    small = token_budget(TASK, [SMALL])
    assert small == token_budget(TASK, [large, SMALL, baseline]) < token_budget(TASK, [large])
    assert token_budget(TASK, [baseline]) == NO_LIMIT
    assert token_budget(TASK, [SMALL], "500") == 500
    assert token_budget(TASK, [SMALL], 10**9) == small
    # a full request is one that the client sends: estimate and longest reply within the window
    assert small + SMALL.output_limit(TASK.max_output_tokens) < SMALL.context_tokens
    with pytest.raises(FinragError, match="larger window"):
        token_budget(TASK, [replace(SMALL, context_tokens=2_000)])
    for wrong in ("all", "0", "-1"):
        with pytest.raises(FinragError, match="var summary_chunk_tokens"):
            token_budget(TASK, [SMALL], wrong)


def test_a_judge_of_a_long_source_is_given_what_is_nearest():
    texts = [f"Paragraph {number} is about something else." for number in range(50)]
    texts[20] = "Freight costs rose in Ohio."
    texts[40] = "Dividends were paid in June."
    budget = 7 * sentence_tokens(0, texts[0])
    kept = nearest_sentences(texts, ["Freight costs rose.", "Dividends were paid."], budget)
    assert kept == [19, 20, 21, 39, 40, 41]
    assert nearest_sentences(texts, ["Freight costs rose."], NO_LIMIT) == list(range(50))
    source = [(f"s{number}", text) for number, text in enumerate(texts)]
    request = make_request(["Freight costs rose."], source, ["Acme"], budget)
    assert (request["source_sentence_count"], request["given_sentence_count"]) == (50, 3)
    assert json.loads(request["inputs"])["is_complete"] is False


def test_passages_are_split_and_keep_ids_where_they_are_as_many():
    two = "Freight costs rose in Ohio.\nDividends were paid in June."
    first, second = two.split("\n")
    assert split_passage({"sentence_ids": ["a"], "text": two}) == [("a", two)]
    assert split_passage({"sentence_ids": ["a", "b"], "text": two}) == [("a", first), ("b", second)]
    for ids in (None, [], ["a", "b", "c"]):
        assert split_passage({"sentence_ids": ids, "text": two}) == [(None, first), (None, second)]


# --- the baseline summariser -----------------------------------------------------------------------------------------


def test_the_baseline_takes_sentences_by_theme():
    texts = [
        "Overview Net sales rose 4% to $812 million in fiscal 2021 compared with fiscal 2020.",
        "The following table shows net sales by segment for the last two years.",
        "Net cash provided by operating activities was $96 million, and we paid down borrowings.",
        "The goodwill impairment test requires significant judgments and assumptions of management.",
        "A shortage of parts could harm our plants and may adversely affect orders.",
        "We plan to close two plants as part of a restructuring program.",
        "Our goal is to develop new products with innovative technology.",
        "We expect demand to weaken in fiscal 2022 because of inflation in the industry.",
        "812.5 779.8 4.2 % 36.4 37.1 (0.7) 12 13 14 15.",
        "Results of Operations Sales in the Americas segment increased, driven by higher volumes.",
    ]
    sentences = [{"n": n + 100, "text": text} for n, text in enumerate(texts)]
    summary = TASK.baseline({"sentences": sentences, "general_words": [20, 40]}).model_dump()
    numbers = {theme: said["sentence_numbers"] for theme, said in summary.items()}
    assert numbers == {
        "overview_of_financial_results": [100],
        "liquidity_and_capital_resources": [102],
        "results_of_operations": [109],
        "critical_accounting_estimates": [103],
        "trends_and_outlook": [107],
        "business_risks_and_uncertainties": [104],
        "planned_actions": [105],
        "future_goals": [106],
        "general": [100, 102],
    }
    # the heading is cut off, figures stay as they are
    assert summary["overview_of_financial_results"]["summary"].startswith("Net sales rose 4% to $812 million")
    assert tuple(numbers) == (*THEMES, "general")


def test_the_general_summary_takes_themes_in_turn_within_its_words():
    texts = {n: " ".join(["word"] * n) for n in (3, 4, 5, 6, 20)}  # a sentence is as long as its number
    # 4 and 6 come first, of their themes; 20 would be too long, and with 3 the ten words have become thirteen
    assert within([[4, 3], [6, 20]], texts, 10, 12) == [4, 6]
    assert within([[4, 3], [6, 20]], texts, 13, 15) == [4, 6, 3]
    # 6 is left out: 6 + 5 are too many, 5 + 4 are not
    assert within([[6], [5], [4]], texts, 8, 9) == [5, 4]
    assert within([[3], [4]], texts, 10, 12) == [3, 4]
    assert within([[20], [4]], texts, 10, 12) == [4]
    assert within([[], []], texts, 10, 12) == []


def test_a_theme_on_which_nothing_is_said_is_empty():
    summary = TASK.baseline(
        {
            "sentences": [{"n": 0, "text": "The weather was pleasant all through the summer."}],
            "general_words": [100, 150],
        }
    )
    assert all(said == {"summary": "", "sentence_numbers": []} for said in summary.model_dump().values())
    assert TASK.baseline({"sentences": [], "general_words": [100, 150]}).model_dump() == summary.model_dump()


def test_a_theme_shares_a_sentence_rather_than_stay_empty():
    text = "Estimates of future cash flows used in impairment tests depend on assumptions about growth."
    summary = TASK.baseline({"sentences": [{"n": 7, "text": text}], "general_words": [5, 50]}).model_dump()
    themes = ("critical_accounting_estimates", "business_risks_and_uncertainties")
    assert [summary[theme]["sentence_numbers"] for theme in themes] == [[7], [7]]
    assert summary["general"]["summary"] == text  # once


# --- in the warehouse ------------------------------------------------------------------------------------------------


def test_every_summarised_filing_has_every_theme_and_a_general_summary(demo):
    filings, rows = demo.rows(
        "select count(distinct filing_id), count(*) from summaries.summaries where dataset = 'mdna'"
    )[0]
    assert filings == 12
    assert rows == filings * (len(THEMES) + 1)
    general = demo.rows(
        "select summary_text, summary_word_count, is_right_length from summaries.summaries "
        "where theme = 'general' and is_baseline"
    )
    assert len(general) == filings
    for text, words, is_right in general:
        assert 100 <= len(text.split()) == words <= 150
        assert is_right
    assert (
        demo.value("select count(*) from summaries.summaries where dataset = 'mdna' and summary_text is not null")
        > rows / 2
    )


def test_a_theme_is_empty_only_where_no_sentence_has_its_cue_words(demo):
    patterns = rows_of("seeds/summary_theme_patterns.csv")
    summarised = {
        theme for (theme,) in demo.rows("select distinct theme from summaries.summaries where dataset = 'mdna'")
    }
    assert summarised == {*THEMES, GENERAL} == {row["theme"] for row in patterns} - {"any"} | {GENERAL}
    excluded = [row["pattern"] for row in patterns if row["role"] == "exclude"]
    empty = demo.rows("""
        select theme, list(sentence_text) from summaries.summaries
        inner join corpus.fct_sentences using (filing_id)
        where is_baseline and summary_text is null and section_id = 'ITEM_7' and theme != 'general'
        group by filing_id, theme
    """)
    assert 0 < len(empty) <= 12  # of 96
    for theme, texts in empty:
        own = [row for row in patterns if row["theme"] == theme and row["role"] == "include"]
        cues = [(row["pattern"], float(row["weight"])) for row in own]
        for text in texts:
            if is_prose(text) and not any(re.search(pattern, text, re.IGNORECASE) for pattern in excluded):
                assert sum(weight for pattern, weight in cues if re.search(pattern, text, re.IGNORECASE)) < 1


def test_themes_rest_on_sentences_of_their_source(demo):
    strays = """
        select count(*) from (
            select source_id, unnest(evidence_sentence_ids) as sentence_id from summaries.summaries
            where dataset = 'mdna'
        ) as evidence anti join summaries.int_source_sentences using (source_id, sentence_id)
    """
    assert demo.value(strays) == 0
    assert demo.value("select min(len(evidence_sentence_ids)) from summaries.summaries where status = 'ok'") >= 1


def test_sources_hash_in_sql_as_in_python(demo):
    for key, text in demo.rows(
        "select source_id, string_agg(sentence_text, ' ' order by sentence_no) "
        "from summaries.int_source_sentences group by 1"
    ):
        assert key == source_id(text)


def test_what_is_copied_is_faithful_and_labelled_as_the_baselines(demo):
    """Extracts of the source are true of it by construction, which is why is_baseline stands beside the figure."""
    rows = demo.rows(
        """
        select distinct faithfulness, status, is_baseline, judge_is_baseline from metrics.faithfulness_items
        where dataset = 'mdna' order by all
        """
    )
    assert rows == [(1.0, "ok", True, True), (None, "no_claims", True, True)]
    assert demo.value("select count(*) from metrics.summary_scorecard where judge_calibration is null") == 0


def test_answers_are_judged_by_difficulty_and_scope(demo):
    strata = demo.rows(
        """
        select variant, stratum_by, count(distinct stratum) from metrics.metric_values_by_run
        where metric = 'faithfulness' and suite = 'p3' and stratum_by in ('difficulty', 'retrieval_scope')
        group by all order by all
        """
    )
    assert [row[:2] for row in strata] == [
        (f"faithful_to_{basis}", by) for basis in ("context", "evidence") for by in ("difficulty", "retrieval_scope")
    ]
    assert all(count > 1 for *_, count in strata)


@pytest.fixture(scope="module")
def with_pairs(demo, tmp_path_factory):
    """The demo warehouse with planted summaries of one source, and a row that is no pair."""
    copy = demo.copy(tmp_path_factory.mktemp("with_pairs") / "demo")
    rows = [{"source": " ".join(SOURCE), "summary": text, "system": name} for name, text in PLANTED.items()]
    path = copy.project / "planted.jsonl"
    path.write_text("\n".join(map(json.dumps, [*rows, {"source": "S.", "system": "x"}])))
    done = copy.dbt(
        "run",
        *("--select", "path:models/summaries", "path:python_models/summaries", "faithfulness_items", "int_judged_runs"),
        *("int_system_pairs", "int_system_scores", "int_system_comparisons", "int_adjusted_comparisons"),
        "system_comparisons",
        **OTHER_ANSWERS,
    )
    assert done.returncode == 0, copy.output
    return copy


def test_planted_summaries_of_a_file_are_scored_as_they_must_be(with_pairs):
    scores = dict(
        with_pairs.rows("select system, faithfulness from metrics.faithfulness_items where dataset = 'planted'")
    )
    assert scores["copy"] == 1.0
    assert scores["empty"] is None
    assert scores["unrelated"] == scores["swapped_company"] == 0.0
    assert max(scores["changed_number"], scores["reversed"]) <= 0.5
    assert with_pairs.rows("select distinct theme, provider from summaries.summaries where dataset = 'planted'") == [
        ("all", "external")
    ]
    rejected = with_pairs.rows("select input, reason, source_row from staging.input_problems")
    assert rejected == [("summaries", "no_summary", 7)]


def test_summarisers_are_compared_on_their_source(with_pairs):
    compared = with_pairs.rows(
        """
        select if(system_a = 'copy', system_b, system_a), difference * if(system_a = 'copy', 1, -1), n_pairs, p_value
        from metrics.system_comparisons
        where dataset = 'planted' and metric = 'faithfulness' and 'copy' in (system_a, system_b)
        """
    )
    # of one source, too few for a p-value; the empty summary claims nothing
    assert ("unrelated", -1.0, 1, None) in compared
    assert sorted(other for other, *_ in compared) == sorted(set(PLANTED) - {"copy", "empty"})
    name = "which_summariser_is_better"
    assert with_pairs.dbt("compile", "--select", f"resource_type:analysis,{name}", **OTHER_ANSWERS).returncode == 0
    analysis = (with_pairs.target / "compiled" / "finrag" / "analyses" / f"{name}.sql").read_text(encoding="utf-8")
    rows = with_pairs.rows(analysis)
    [verdict] = [row[-1] for row in rows if row[1:4] == ("copy", "unrelated", "faithfulness")]
    assert verdict == "not tested: fewer than 7 clusters"


def test_the_prompts_hold_claims_and_sentences_as_data():
    from finrag.llm.prompts import render

    request = make_request(["Sales rose."], [("a", "Sales rose."), ("b", "Costs fell.")], ["Acme"], NO_LIMIT)
    user = render(JUDGE.text, json.loads(request["inputs"])).user
    assert user.count('{"n": ') == 3
    assert "nearest to the claims" not in user
    inputs = {"company_name": "Acme", "report_year": 2021, "chunk_no": 1, "chunk_count": 2, "general_words": [50, 75]}
    user = render(TASK.text, inputs | {"sentences": [{"n": 5, "text": "Sales rose."}]}).user
    assert '{"n": 5, "text": "Sales rose."}' in user
