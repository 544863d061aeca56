"""docs/questions.md and its examples: what it says of a question is what the loader and the scorer do."""

from __future__ import annotations

import json
import re
from typing import get_args

import pytest

from documents import table_of
from finrag.questions.schema import Question
from finrag.scoring.lists import list_match
from finrag.scoring.numbers import numeric_match
from finrag.text.abstention import abstention
from suite_rows import read_suite
from warehouses import ROOT, Warehouse

EXAMPLES = ROOT / "docs" / "examples" / "questions.json"
PAGE = ROOT / "docs" / "questions.md"
FIELDS = table_of(PAGE, "Field")
UNITS = table_of(PAGE, "Unit")
NUMERIC, LIST, CONTROL = json.loads(EXAMPLES.read_text(encoding="utf-8"))


def test_the_examples_load():
    rows = read_suite("examples", EXAMPLES)
    assert [(row["question_id"], row.get("reason")) for row in rows] == [(f"EXAMPLE-{n}", None) for n in (1, 2, 3)]
    assert [json.loads(row["record"])["answer_type"] for row in rows] == ["numeric", "list", "no_answer"]


def test_the_page_has_the_fields_in_order_and_the_numeric_example():
    names = [row["Field"].strip("`") for row in FIELDS]
    assert names == list(Question.model_fields)[:20] == list(NUMERIC)
    assert {row["Field"].strip("`"): json.loads(row["Example"].strip("`")) for row in FIELDS} == NUMERIC
    text = PAGE.read_text(encoding="utf-8")
    assert all(f"`{name}`" in text for name in list(Question.model_fields)[20:])


def test_the_page_has_the_allowed_values():
    allowed = {row["Field"].strip("`"): re.findall(r"`(\w+)`", row["Allowed"]) for row in FIELDS}
    for name in ("answer_type", "retrieval_scope", "difficulty"):
        assert tuple(allowed[name]) == get_args(Question.model_fields[name].annotation)


@pytest.mark.parametrize(
    ("example", "change", "fault"),
    [
        (NUMERIC, {"answer_numeric": None}, "needs answer_numeric"),
        (NUMERIC, {"years": ["2021"]}, "years.0"),
        (NUMERIC, {"company_name": ["A", "B"]}, "same length"),
        (NUMERIC, {"tolerance": -0.1}, "tolerance"),
        (LIST, {"answer_text": "Exchange rates"}, "must be an array"),
        (CONTROL, {"answer_type": "none"}, "answer_type"),
        (CONTROL, {"curation_confidence": 1.1}, "curation_confidence"),
    ],
)
def test_what_the_page_does_not_allow_is_left_out_with_its_reason(tmp_path, example, change, fault):
    path = tmp_path / "suite.json"
    path.write_text(json.dumps([example | change]), encoding="utf-8")
    (row,) = read_suite("suite", path)
    assert fault in row["detail"]


@pytest.mark.parametrize("row", UNITS, ids=lambda row: row["Unit"])
def test_units_mean_what_the_page_says(row):
    gold, unit = float(row["`answer_numeric`"].strip("`")), row["Unit"].strip("`")
    assert numeric_match(gold, unit, None, row["Right"]).verdict == "matched"
    assert numeric_match(gold, unit, None, row["Wrong"]).verdict != "matched"


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("$2,406.7 million", "matched"),
        ("$2.41 billion", "matched"),
        ("USD 2.4bn", "matched"),
        ("$2 billion", "unmatched"),
        ("$2,744.6 million", "unmatched"),
        ("$2,406.7 thousand", "unmatched"),
    ],
)
def test_the_numeric_example_is_scored_as_the_page_says(answer, verdict):
    gold = (NUMERIC["answer_numeric"], NUMERIC["answer_unit"], NUMERIC["tolerance"])
    assert f'"{answer}"' in PAGE.read_text(encoding="utf-8")
    assert numeric_match(*gold, answer, question=NUMERIC["question_text"]).verdict == verdict


def test_the_list_and_the_control_are_scored_as_the_page_says():
    first, second = LIST["answer_text"]
    assert list_match([first, second], [second, first]).is_match
    assert not list_match([first, second], [first]).is_match
    assert abstention(CONTROL["answer_text"]).is_abstention
    assert not abstention("Gross profit was $120.5 million.").is_abstention


def test_the_evidence_of_the_examples_is_in_the_demo(demo: Warehouse):
    for example in (NUMERIC, LIST):
        (sentence,) = example["evidence_sentence_ids"]
        text = demo.value(f"select sentence_text from corpus.fct_sentences where sentence_id = '{sentence}'")
        said = example["evidence_spans"] or example["answer_text"]
        assert all(part.lower() in text.lower() for part in said)
    assert (
        demo.value(f"""
        select count(*) from corpus.fct_sentences
        where cik = {CONTROL["cik_int"][0]} and report_year = 2022 and sentence_text ilike '%gross profit%'
    """)
        == 0
    )
