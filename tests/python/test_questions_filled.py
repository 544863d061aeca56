"""A question needs itself, its answer and its evidence; the other fields are told from these, and marked."""

from __future__ import annotations

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from databases import in_memory, insert
from finrag.inputs.suites import read_suites
from finrag.questions.fill import answer_fields, id_of
from finrag.questions.schema import YEARS
from finrag.scoring.numbers import numeric_match
from finrag.text.amounts import parse_unit

REVENUE = "Revenue of the stores rose to $12.5 million in fiscal 2021."
REPEATED = "The company competes with many others in all of its markets."
SENTENCES = [
    ("s1", 7, "Stores, Inc.", 2021, "ITEM_7", REVENUE),
    ("s2", 7, "Stores, Inc.", 2021, "ITEM_7", "The rise was due to new shops opened in the north of the country."),
    ("s3", 7, "Stores, Inc.", 2020, "ITEM_1A", REPEATED),
    ("s4", 8, "Mills Corp", 2021, "ITEM_1A", REPEATED),
    ("s5", 8, "Mills Corp", 2021, "ITEM_7", "Net sales of the mills fell to $3.1 million in fiscal 2021."),
]


@pytest.fixture
def session():
    with in_memory() as connection:
        connection.execute(
            "create table fct_sentences (sentence_id varchar, cik bigint, company_name varchar, report_year integer,"
            " section_id varchar, sentence_text varchar, text_hash varchar, word_count bigint,"
            " sentence_pos integer, sentence_kind varchar, filing_id varchar, page_no integer)"
        )
        hashes = [hashlib.md5(row[-1].lower().encode()).hexdigest() for row in SENTENCES]
        insert(
            connection,
            "fct_sentences",
            [
                (*row, text_hash, len(row[-1].split()), 0, "prose", f"{row[1]}-{row[3]}", None)
                for row, text_hash in zip(SENTENCES, hashes, strict=True)
            ],
        )
        yield connection


def read(session, tmp_path, *records: dict) -> list[dict]:
    path = tmp_path / "suite.json"
    path.write_text(json.dumps(records), encoding="utf-8")
    rows = read_suites(session, f"mine={path}", session.table("fct_sentences"))
    return [dict(zip(rows.columns, row, strict=True)) for row in rows.fetchall()]


@pytest.mark.parametrize(
    ("evidence", "ids"),
    [
        (["s1"], ["s1"]),
        (REVENUE, ["s1"]),
        ("revenue of the  stores rose to $12.5 million in fiscal 2021.", ["s1"]),
        ("the stores rose to $12.5 million", ["s1"]),
        (f"{SENTENCES[0][-1]} {SENTENCES[1][-1]}", ["s1", "s2"]),
        (["s1", SENTENCES[1][-1]], ["s1", "s2"]),
    ],
)
def test_three_fields_make_a_question_whether_its_evidence_is_ids_or_text(session, tmp_path, evidence, ids):
    asked = {"question": "How large was the revenue?", "answer": "$12.5 million", "evidence": evidence}
    [row] = read(session, tmp_path, asked)
    assert row["reason"] is None, row
    question = json.loads(row["record"])
    assert question["evidence_sentence_ids"] == ids
    assert (question["cik_int"], question["company_name"], question["years"]) == ([7], ["Stores, Inc."], [2021])
    assert (question["answer_type"], question["answer_numeric"], question["answer_unit"]) == (
        "numeric",
        12.5,
        "USD millions",
    )
    assert (question["retrieval_scope"], question["section_hints"]) == ("local", ["ITEM_7"])
    told = row["filled_fields"].split(", ")
    assert {"cik_int", "years", "answer_type", "difficulty", "created_at", "question_id"} <= set(told)
    assert "question_text" not in told and question["notes"] == "filled in: " + row["filled_fields"]


def test_what_is_stated_stays_and_only_the_rest_is_filled_in(session, tmp_path):
    stated = {"question_id": "Q1", "difficulty": "hard", "company_name": ["Ours"], "notes": "mine", "years": [2021]}
    asked = {"question": "Who competes?", "answer": "Many.", "evidence": REPEATED, "cik_int": [8]}
    [row] = read(session, tmp_path, stated | asked)
    question = json.loads(row["record"])
    assert {name: question[name] for name in ("question_id", "difficulty", "company_name")} == {
        name: stated[name] for name in ("question_id", "difficulty", "company_name")
    }
    assert question["evidence_sentence_ids"] == ["s4"]
    assert question["notes"].startswith("mine; filled in: ") and "difficulty" not in row["filled_fields"]


def test_one_question_of_two_documents_is_two(session, tmp_path):
    asked = {"question": "Who competes?", "answer": "Many."}
    rows = read(session, tmp_path, *(asked | {"evidence": REPEATED, "cik_int": [cik]} for cik in (7, 8, 8)))
    assert [row["reason"] for row in rows] == [None, None, "duplicate_id"]
    places = [{"document": "a"}, {"document": "b"}, {"document": "a", "page": 2}, {"years": [2020]}, {"company": "A"}]
    assert len({id_of("Who competes?", asked | place) for place in places}) == len(places)
    # the first ten letters of the md5 of "Who competes?"
    assert id_of("Who competes?", asked) == id_of("Who competes?", {"evidence": [], "page": None}) == "q-84d01b0e47"


def test_two_companies_make_a_question_across_them(session, tmp_path):
    [row] = read(session, tmp_path, {"question": "Who sold more?", "answer": "Stores", "evidence": ["s1", "s5"]})
    question = json.loads(row["record"])
    assert (question["cik_int"], question["company_name"]) == ([7, 8], ["Stores, Inc.", "Mills Corp"])
    assert question["retrieval_scope"] == "cross_company" and question["answer_type"] == "span"


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"evidence": REPEATED}, r"stands in 2 filings, such as s3 and s4. State cik_int and years"),
        (
            {"evidence": "A sentence that no filing has at all."},
            "evidence: it stands nowhere in the corpus, so that it tells no company. "
            "State cik_int, company_name and years",
        ),
        ({"evidence": REVENUE, "years": [2019]}, "evidence: it stands in no filing of 2019, so that it tells no comp"),
        # the evidence is there, so nothing is said of what it tells
        ({"years": ["2021"]}, f'years.0: "2021"; expected {YEARS}$'),
        ({"years": [21]}, "years.0: expected a year from 1980 to 2100, or 0 for a document that states none$"),
        ({"evidence": None}, "evidence: missing; expected a list of ids of sentences, or of texts of the corpus$"),
        ({"evidence": 5}, "evidence: 5; expected a list of ids of sentences, or of texts of the corpus$"),
        ({"question": None}, "question: missing; expected a text that is not empty$"),
        ({"question": ""}, 'question: ""; expected a text that is not empty$'),
        ({"answer": {"a": 1}}, 'answer: {"a": 1}; expected a text, or a list of texts for answer_type list$'),
        ({"answer": None, "evidence": None}, "answer: missing, and so is evidence. State evidence, "),
        ({"answer": None, "answer_type": "span"}, "answer: missing; expected a text, or a list of texts for answer_"),
        ({"answer_type": "no_answer"}, "answer_type no_answer says that the filings have no answer, and evidence is"),
        (
            {"answer_type": "no_answer", "evidence": None},
            "cik_int: missing; expected a list of whole numbers, one or more; company_name: missing; expected",
        ),
    ],
)
def test_what_cannot_be_told_is_said(session, tmp_path, change, fault):
    whole = {"question": "Who?", "answer": "Many.", "evidence": ["s1"]}
    [row] = read(session, tmp_path, {name: value for name, value in (whole | change).items() if value is not None})
    assert row["reason"] == "invalid_schema" and fault.replace("\\", "") in f"{row['detail']}$", row["detail"]
    assert json.loads(row["record"]).keys() <= whole.keys() | change.keys()


def test_a_question_without_an_answer_measures_retrieval_and_one_that_says_so_has_none(session, tmp_path):
    rows = read(
        session,
        tmp_path,
        {"question": "How large was the revenue?", "answer": None, "evidence": REVENUE},
        {"question": "How large was revenue?", "answer": "", "evidence": ["s1"]},
        {"question": "What was it?", "evidence": ["s1"]},
        {"question": "Was it?", "answer_type": "no_answer", "cik_int": [7], "company_name": ["S"], "years": [2021]},
    )
    assert [row["reason"] for row in rows] == [None] * 4, rows
    told = [json.loads(row["record"]) for row in rows]
    assert [(each["answer_type"], each["answer_text"], each["evidence_sentence_ids"]) for each in told] == [
        *[("unstated", "", ["s1"])] * 3,
        ("no_answer", "The filings do not state this.", []),
    ]


def test_a_whole_question_is_marked_with_nothing(session, tmp_path):
    [row] = read(session, tmp_path, {"question": "How large was the revenue?", "answer": "5", "evidence": ["s1"]})
    whole = json.loads(row["record"]) | {"notes": None}
    [again] = read(session, tmp_path, whole)
    assert again["filled_fields"] is None and json.loads(again["record"])["notes"] is None


@pytest.mark.parametrize(
    ("answer", "fields"),
    [
        (True, {"answer_type": "boolean", "answer_text": "Yes"}),
        ("No, it fell.", {"answer_type": "boolean"}),
        ("None of the above", {"answer_type": "span"}),
        (["a", "b"], {"answer_type": "list"}),
        (12, {"answer_type": "numeric", "answer_text": "12", "answer_numeric": 12.0}),
        ("-$1,250.5 million", {"answer_type": "numeric", "answer_numeric": -1250.5, "answer_unit": "USD millions"}),
        ("34.1 percent", {"answer_type": "numeric", "answer_numeric": 34.1, "answer_unit": "%"}),
        ("2021", {"answer_type": "numeric", "answer_numeric": 2021.0}),
        ("-2021", {"answer_type": "numeric", "answer_numeric": -2021.0}),
        ("It rose to $5 million.", {"answer_type": "span"}),
        ("about $5 million", {"answer_type": "span"}),
        ("$5 to $6 million", {"answer_type": "span"}),
        ("$5 million ($3 million)", {"answer_type": "span"}),
        ("5 stores", {"answer_type": "span"}),
        ("10-K", {"answer_type": "span"}),
        ("12/31/2021", {"answer_type": "span"}),
        ("two", {"answer_type": "span"}),
    ],
)
def test_an_answer_is_typed_by_its_form(answer, fields):
    assert answer_fields(answer) == fields


@given(st.one_of(st.text(max_size=30), st.text("()$-%.,1920 mxbps", max_size=12)))
def test_any_answer_is_typed(text):
    told = answer_fields(text, f"How much ({text})?")
    assert told["answer_type"] in {"boolean", "numeric", "span"}
    if unit := told.get("answer_unit"):
        parse_unit(unit)


@pytest.mark.parametrize(
    ("answer", "number", "unit"),
    [
        ("(3.5)%", -3.5, "%"),
        ("($350) million", -350, "USD millions"),
        ("$(350) million", -350, "USD millions"),
        ("$-350 million", -350, "USD millions"),
        ("\u2212$350 million", -350, "USD millions"),
        ("€1.2 billion", 1.2, "EUR billions"),
        ("USD 1,577 million", 1577, "USD millions"),
        ("$1.2bn", 1.2, "USD billions"),
        ("$1.2B", 1.2, "USD billions"),
        ("HK$5 million", 5, "HKD millions"),
        ("2.3x", 2.3, "times"),
        ("$2.88 per share", 2.88, "USD per share"),
        ("50 bps", 50, "bps"),
        ("1,577 million shares", 1577, "million shares"),
        ("5 years", 5, "years"),
        ("5 hours", 5, "hours"),
        # as FinQA writes negative figures of tables
        ("$ -142 ( 142 )", -142, "USD"),
        ("-1.7% ( 1.7 % )", -1.7, "%"),
    ],
)
def test_an_amount_is_read_in_every_ordinary_form_and_matches_itself(answer, number, unit):
    told = answer_fields(answer)
    assert (told["answer_numeric"], told["answer_unit"]) == (number, unit)
    assert numeric_match(number, unit, None, answer).verdict == "matched"


@pytest.mark.parametrize(
    ("answer", "question", "unit"),
    [
        ("1577", "What was it (in EUR millions)?", "EUR millions"),
        ("1577", "What was it in $m?", "USD millions"),
        ("1577", "What was it (£bn)?", "GBP billions"),
        ("1577", "What was it ($ in millions)?", "USD millions"),
        ("1577", "What was it, in millions of euros?", "EUR millions"),
        ("1577 shares", "How many were there, in thousands?", "thousand shares"),
        # neither is a scale
        ("$1,577,000,000", "What was revenue, rounded to the nearest million?", "USD"),
        ("1577", "What was spent in USD M&A?", None),
        ("1577", "What was it in m?", None),
        ("2.3x", "What is debt in USD millions to income?", "times"),
        ("$1577.00", "What is the FY2018 capital expenditure amount (in USD millions) for 3M?", "USD millions"),
        ("$8.70", "What is net PPNE? Answer in USD billions.", "USD billions"),
        (5.2, "How large was it, in millions of dollars?", "USD millions"),
        ("12", "How many were shipped, in thousands?", "thousands"),
        # what the answer says of itself counts, and two scales say nothing
        ("$2,406.7 million", "How large was it in USD thousands?", "USD millions"),
        ("8.7%", "Of sales in USD millions, which share?", "%"),
        ("$12", "In thousands, or in millions?", "USD"),
        ("0.66", "What is the ratio?", None),
    ],
)
def test_an_amount_without_a_scale_is_in_the_one_that_the_question_asks_for(answer, question, unit):
    assert answer_fields(answer, question).get("answer_unit") == unit
