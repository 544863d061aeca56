"""Published suites: rows as published become questions of ours, and what fits nowhere is a row that says why."""

from __future__ import annotations

import json

import duckdb
import pytest

from finrag.inputs.setting import NamedFile
from finrag.inputs.suite_formats import FORMATS, recognised
from finrag.inputs.suites import read_suite, read_suites
from finrag.text.companies import Companies, Company

SENTENCES = [
    (
        "w1",
        7,
        "Widget Works, Inc.",
        2018,
        0,
        "Purchases of property, plant and equipment (1,577) (1,373) (1,420)",
        "table_row",
    ),
    ("w2", 7, "Widget Works, Inc.", 2018, 1, "Goodwill of the segments was tested, and none was impaired.", "prose"),
    ("w3", 7, "Widget Works, Inc.", 2018, 2, "We sell widgets in 40 countries — mostly through dealers.", "prose"),
    ("w0", 7, "Widget Works, Inc.", 2017, 0, "Goodwill of the segments was tested, and none was impaired.", "prose"),
    ("z1", 8, "Zinc AG", 2018, 0, "Goodwill of the segments was tested, and none was impaired.", "prose"),
]
COMPANIES = Companies([Company(7, "Widget Works, Inc.", ("Widget Works, Inc.",)), Company(8, "Zinc AG", ("Zinc AG",))])
FINANCEBENCH = {
    "financebench_id": "financebench_id_03029",
    "company": "Widget Works",
    "doc_name": "WIDGETWORKS_2018_10K",
    "question_type": "metrics-generated",
    "question_reasoning": "Information extraction",
    "domain_question_num": None,
    "question": "What is the FY2018 capital expenditure amount (in USD millions) for Widget Works?",
    "answer": "$1577.00",
    "justification": "Directly extracted.",
    "evidence": [
        {
            "evidence_text": "Cash Flows\n \nPurchases of property, plant and equipment\n \n(1,577)\n(1,373) \n(1,420)",
            "doc_name": "WIDGETWORKS_2018_10K",
            "evidence_page_num": 59,
            "evidence_text_full_page": "Cash Flows",
        },
        {"evidence_text": "goodwill of the seg-\nments was tested, and none was impaired", "evidence_page_num": 60},
    ],
}


def read(tmp_path, *records: object, companies=COMPANIES) -> list[dict]:
    path = tmp_path / "suite.jsonl"
    lines = [record if isinstance(record, str) else json.dumps(record, ensure_ascii=False) for record in records]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with duckdb.connect() as connection:
        connection.execute(
            "create table given (sentence_id varchar, cik bigint, company_name varchar, report_year integer, "
            "sentence_pos integer, sentence_text varchar, sentence_kind varchar)"
        )
        connection.executemany("insert into given values (?, ?, ?, ?, ?, ?, ?)", SENTENCES)
        connection.execute(
            "create table fct_sentences as select *, 'ITEM_7' as section_id, md5(lower(sentence_text)) as text_hash, "
            "len(string_split(sentence_text, ' ')) as word_count, cik || '-' || report_year as filing_id, "
            "null::integer as page_no from given"
        )
        rows = read_suites(connection, f"fb={path}", connection.table("fct_sentences"), companies)
        return [dict(zip(rows.columns, row, strict=True)) for row in rows.fetchall()]


def test_a_row_of_financebench_is_a_question_with_its_sentences(tmp_path):
    [row] = read(tmp_path, FINANCEBENCH)
    assert row["reason"] is None and row["unfound"] is None, row
    record = json.loads(row["record"])
    assert (record["question_id"], record["cik_int"], record["years"]) == ("financebench_id_03029", [7], [2018])
    # over two pages, and of the year that the document's name has
    assert record["evidence_sentence_ids"] == ["w1", "w2"]
    assert (record["answer_type"], record["answer_numeric"], record["answer_unit"]) == ("numeric", 1577, "USD millions")
    assert record["company_name"] == ["Widget Works, Inc."] and record["created_by"] == "FinanceBench"
    assert "document: WIDGETWORKS_2018_10K; question_type: metrics-generated" in record["notes"]
    assert "WIDGETWORKS_2018_10K 59, WIDGETWORKS_2018_10K 60" in record["notes"]


def test_evidence_in_other_words_of_type_is_the_same_and_other_figures_are_not(tmp_path):
    found = {"evidence_text": "We sell widgets in 40 countries - mostly\nthrough dealers"}
    other = {"evidence_text": "We sell widgets in 41 countries - mostly through dealers"}
    rows = read(
        tmp_path,
        FINANCEBENCH | {"financebench_id": "a", "evidence": [found]},
        FINANCEBENCH | {"financebench_id": "b", "evidence": [found, other]},
        FINANCEBENCH | {"financebench_id": "c", "evidence": [other]},
    )
    ids = [json.loads(row["record"])["evidence_sentence_ids"] for row in rows]
    # what stands nowhere stays as it is stated, so that the question counts as not covered
    assert ids == [["w3"], ["w3", other["evidence_text"]], [other["evidence_text"]]]
    assert [row["reason"] for row in rows] == [None, None, None]
    [missing] = json.loads(rows[2]["unfound"])
    assert missing["piece"] == other["evidence_text"] and missing["best_score"] < missing["threshold"]


def test_rows_that_fit_nowhere_say_why(tmp_path):
    without = {name: value for name, value in FINANCEBENCH.items() if name != "answer"}
    rows = read(
        tmp_path,
        FINANCEBENCH,
        FINANCEBENCH,
        without | {"answer": 5},
        FINANCEBENCH | {"financebench_id": "d", "company": "Nobody Corp"},
        FINANCEBENCH | {"financebench_id": "e", "evidence": "a text"},
        '{"financebench_id": "f", ',
        "5",
    )
    reasons = "duplicate_id invalid_schema unknown_company invalid_schema unreadable_row invalid_schema"
    assert [row["reason"] for row in rows] == [None, *reasons.split()]
    assert "answer: Input should be a valid string" in rows[2]["detail"]
    # its words stand in others' filings, which are not asked
    assert rows[3]["detail"].startswith("company: Nobody Corp is no company of the corpus.")
    assert json.loads(rows[3]["record"])["company"] == "Nobody Corp"
    assert "evidence: Input should be a valid list" in rows[4]["detail"]
    assert "is no JSON" in rows[5]["detail"]


def test_a_company_of_two_names_is_nobodys(tmp_path):
    [row] = read(tmp_path, FINANCEBENCH | {"company": "Widget Works and Zinc AG"})
    assert row["reason"] == "unknown_company" and "is several companies" in row["detail"]


@pytest.mark.parametrize(
    ("name", "years"),
    [
        ("WIDGETWORKS_2018_10K", [2018]),
        ("WIDGETWORKS_2023Q2_10Q", [2023]),
        ("WIDGETWORKS_2022_8K_dated-2022-07-01", [2022]),
        ("WIDGET_2000_WORKS", [2000]),
        ("WIDGETWORKS_10K", None),
    ],
)
def test_the_year_is_that_of_the_documents_name(name, years):
    [form] = [form for form in FORMATS if form.name == "financebench"]
    assert form.to_record(form.row.model_validate(FINANCEBENCH | {"doc_name": name, "evidence": []}))["years"] == years


def test_our_own_schema_is_no_published_format_and_may_come_by_lines(tmp_path):
    asked = {
        "question": "Was goodwill impaired?",
        "answer": "No.",
        "evidence": SENTENCES[1][5],
        "company": "Widget Works",
    }
    assert recognised([asked]) is None and recognised([]) is None and recognised([5]) is None
    path = tmp_path / "own.jsonl"
    path.write_text(json.dumps(asked) + "\n\n", encoding="utf-8")
    assert len(read_suite(NamedFile("own", str(path)))) == 1
    [row] = read(tmp_path, asked | {"years": [2018]})
    assert json.loads(row["record"])["evidence_sentence_ids"] == ["w2"]
