"""Published suites: rows as published become questions of ours, and what fits nowhere is a row that says why."""

from __future__ import annotations

import dataclasses
import json

import pyarrow
import pytest
from pyarrow import parquet

from databases import in_memory, insert
from finrag.answers.verdicts import Answer, judge
from finrag.errors import FinragError
from finrag.inputs.suite_documents import Document, Documents
from finrag.inputs.suite_faults import descriptions
from finrag.inputs.suite_formats import FORMATS, recognised
from finrag.inputs.suites import PAGE, read_suites, suite_files
from finrag.questions.evidence import precedence
from finrag.questions.schema import Question
from finrag.scoring.bad_questions import CrossReferences
from finrag.text.companies import Companies, Company
from suite_rows import read_suite

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
    with in_memory() as connection:
        connection.execute(
            "create table given (sentence_id varchar, cik bigint, company_name varchar, report_year integer, "
            "sentence_pos integer, sentence_text varchar, sentence_kind varchar)"
        )
        insert(connection, "given", SENTENCES)
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
    assert missing["piece"] == other["evidence_text"] and missing["best_score"] < 90


def test_rows_that_fit_nowhere_say_why(tmp_path):
    without = {name: value for name, value in FINANCEBENCH.items() if name != "answer"}
    rows = read(
        tmp_path,
        FINANCEBENCH,
        FINANCEBENCH,
        without | {"answer": {}},
        FINANCEBENCH | {"financebench_id": "d", "company": "Nobody Corp"},
        FINANCEBENCH | {"financebench_id": "e", "evidence": "a text"},
        '{"financebench_id": "f", ',
        "5",
    )
    reasons = "duplicate_id invalid_schema unknown_company invalid_schema unreadable_row invalid_schema"
    assert [row["reason"] for row in rows] == [None, *reasons.split()]
    assert rows[2]["detail"] == "answer: expected a text, a number, true or false, or a list of texts"
    # its words stand in others' filings, which are not asked
    assert rows[3]["detail"].startswith("company: Nobody Corp is no company of the corpus.")
    assert json.loads(rows[3]["record"])["company"] == "Nobody Corp"
    expected = "a list of objects, one or more of which have an evidence_text that is not blank"
    assert rows[4]["detail"] == f'evidence: "a text"; expected {expected}'
    assert "is no JSON" in rows[5]["detail"]
    assert rows[6]["detail"] == "5 where an object with the fields of a question is expected"


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
    assert len(read_suite("own", path)) == 1
    [row] = read(tmp_path, asked | {"years": [2018]})
    assert json.loads(row["record"])["evidence_sentence_ids"] == ["w2"]


@pytest.mark.parametrize("ending", [".json", ".jsonl", ".ndjson"])
def test_an_array_and_lines_are_told_by_what_they_hold(tmp_path, ending):
    rows = [{"question": f"How much was item {i}?", "answer": "5", "evidence": f"s{i}"} for i in range(3)]
    path = tmp_path / f"suite{ending}"
    lines = "\n".join(map(json.dumps, rows))
    for text in (json.dumps(rows), json.dumps(rows, indent=1), lines, f"{lines}\n{{cut\n"):
        path.write_text(text, encoding="utf-8")
        found = read_suite("mine", path)
        assert [row["reason"] == "unreadable_row" for row in found] == [False] * 3 + [True] * ("cut" in text), text
    path.write_text(json.dumps(rows[0]), encoding="utf-8")
    assert [json.loads(row["record"])["answer"] for row in read_suite("mine", path)] == ["5"]
    assert [file.name for file in suite_files(f"{tmp_path}/*")] == ["suite"]


FILINGS = [
    ("WIDGET_2018_10K", 7, "Widget Works, Inc.", 2018),
    ("WIDGET_2018Q3_10Q", 7, "Widget Works, Inc.", 2018),
    ("NYSE_ZNC_2018", 8, "Zinc AG", 2018),
]
CAPEX = "Purchases of property, plant and equipment (1,577) (1,373) (1,420)"
STATED = [
    ("k1", "WIDGET_2018_10K", 1, "We sell widgets in 40 countries — mostly through dealers.", "prose"),
    ("k2", "WIDGET_2018_10K", 2, CAPEX, "table_row"),
    ("k3", "WIDGET_2018_10K", 2, "Goodwill of the segments was tested, and none was impaired.", "prose"),
    ("r1", "WIDGET_2018Q3_10Q", 1, CAPEX, "table_row"),
    ("z1", "NYSE_ZNC_2018", 1, "Zinc mines were closed for a month in the winter.", "prose"),
]


def asked(path) -> list[dict]:
    """The rows of a suite that is asked of FILINGS, what is JSON in them read."""
    with in_memory() as connection:
        connection.execute("create table filings (filing_id text, cik bigint, company_name text, report_year integer)")
        insert(connection, "filings", FILINGS)
        connection.execute(
            "create table given (sentence_id text, filing_id text, page_no integer, sentence_text text, "
            "sentence_kind text)"
        )
        insert(connection, "given", STATED)
        connection.execute(
            "create table fct_sentences as select given.*, cik, company_name, report_year, 'DOCUMENT' as section_id, "
            "0 as sentence_pos, md5(lower(sentence_text)) as text_hash, "
            "len(string_split(sentence_text, ' ')) as word_count from given inner join filings using (filing_id)"
        )
        filings = connection.sql("select *, if(filing_id like '%10Q', '10-Q', '10-K') as form_type from filings")
        rows = read_suites(connection, f"mine={path}", connection.table("fct_sentences"), COMPANIES, filings)
        found = [dict(zip(rows.columns, row, strict=True)) for row in rows.fetchall()]
    return [
        row | {name: json.loads(row[name]) for name in ("record", "pages", "unfound") if row[name]} for row in found
    ]


def asked_rows(tmp_path, *records: dict) -> list[dict]:
    path = tmp_path / "suite.jsonl"
    path.write_text("\n".join(json.dumps(record) for record in records), encoding="utf-8")
    return asked(path)


def test_of_two_documents_of_a_year_the_10_k_is_meant(tmp_path):
    # the 10-Q comes first by its name, and has the same row
    plain = {"question": "How much was spent?", "answer": 1577, "company": "Widget Works", "years": [2018]}
    pieces = [CAPEX, CAPEX.lower(), "equipment (1,577) (1,373) (1,420)", CAPEX.replace("property,", "pro-\nperty")]
    rows = asked_rows(tmp_path, *(plain | {"id": str(i), "evidence": piece} for i, piece in enumerate(pieces)))
    assert [row["record"]["evidence_sentence_ids"] for row in rows] == [["k2"]] * 4
    forms = ["10-Q", None, "10-K/A", "10-K405", "document", "10-K"]
    assert sorted(forms, key=precedence) == ["10-K405", "10-K", "10-K/A", "10-Q", None, "document"]


T2 = {
    "id": "finqa123",
    "context_id": "c1f2",
    "split": "test",
    "question": "What was the capital expenditure of Widget Works in 2018 (in USD millions)?",
    "program_answer": "1577.0",
    "original_answer": "$ 1577",
    "context": "We sell widgets in 40 countries - mostly through dealers .\n\n| | 2018 | 2017 | 2016 |\n"
    "| --- | --- | --- | --- |\n| Purchases of property , plant and equipment | ( 1,577 ) | ( 1,373 ) | ( 1,420 ) |",
    "file_name": "WIDGET_2018_page_2.pdf",
    "company_name": "Widget Works",
    "company_symbol": "WDG",
    "company_cik": 7.0,
    "report_year": "2018",
    "page_number": 59,
}


def test_a_row_of_t2_ragbench_has_its_page_as_evidence_and_its_tolerance(tmp_path):
    # the table is a row of the 10-K and of the 10-Q: of the two the 10-K explains more of the page
    [row] = asked_rows(tmp_path, T2)
    assert row["reason"] is None and row["pages"] is None, row
    record = row["record"]
    assert (record["question_id"], record["cik_int"], record["years"]) == ("finqa123", [7], [2018])
    assert record["evidence_sentence_ids"] == ["k1", "k2"]
    assert (record["answer_numeric"], record["answer_unit"]) == (1577, "USD millions")
    assert record["tolerance"] == pytest.approx(15.77) and "page: 59" in record["notes"]


@pytest.mark.parametrize(
    ("program", "original", "numeric", "unit"),
    [
        ("0.14136", "14.1%", 14.136, "%"),
        ("0.14136", "0.14136", 0.14136, None),
        # what does not agree is not of that unit
        ("0.14136", "22.0%", 0.14136, None),
        ("14.1", "14.1%", 14.1, "%"),
        (-1577, "$ 1,577 million", -1577, "USD millions"),
        ("1e-05", None, 1e-05, None),
        ("2.88", "$2.88", 2.88, "USD"),
        ("-142", "$ -142 ( 142 )", -142, "USD"),
        ("2.3", "2.3x", 2.3, "times"),
    ],
)
def test_the_unit_of_t2_ragbench_is_that_of_the_original_answer(tmp_path, program, original, numeric, unit):
    question = {"question": "How much was it?", "program_answer": program, "original_answer": original}
    [row] = asked_rows(tmp_path, T2 | question)
    assert (row["record"]["answer_numeric"], row["record"]["answer_unit"]) == (numeric, unit)
    assert row["record"]["tolerance"] == pytest.approx(0.01 * abs(numeric))


def test_a_change_of_a_rate_in_t2_ragbench_is_in_percent_or_points(tmp_path):
    question = {
        "question": "What was the change in the tax rate?",
        "program_answer": "0.008",
        "original_answer": "0.8%",
    }
    [row] = asked_rows(tmp_path, T2 | question)
    assert (row["record"]["answer_numeric"], row["record"]["answer_unit"]) == (0.8, "% or percentage points")


def test_a_context_may_be_a_document_and_a_company_a_number(tmp_path):
    of_file = T2 | {"id": "a", "company_name": None, "file_name": "WIDGET_2018_10K.pdf"}
    of_number = T2 | {"id": "b", "company_name": "Called otherwise"}
    nobodys = T2 | {"id": "c", "company_name": "Nobody", "company_cik": None}
    no_company = T2 | {"id": "d", "company_name": None}
    blank = T2 | {"id": "e", "question": ""}
    rows = asked_rows(tmp_path, of_file, of_number, nobodys, no_company, blank, T2, T2)
    reasons = [None, None, "unknown_company", "unknown_document", "invalid_schema", None, "duplicate_id"]
    assert [row["reason"] for row in rows] == reasons
    assert rows[0]["record"]["evidence_sentence_ids"] == rows[1]["record"]["evidence_sentence_ids"] == ["k1", "k2"]
    assert "c1f2 is none of the corpus" in rows[3]["detail"] and "question" in rows[4]["detail"]


def test_a_page_of_another_company_by_the_same_file_name_is_another(tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "FILINGS", [*FILINGS, ("page_2", 8, "Zinc AG", 2017), ("c1f2", 9, "c1f2", 0)])
    monkeypatch.setitem(globals(), "STATED", [*STATED, ("p2", "page_2", 1, CAPEX, "table_row")])
    of_file = T2 | {"context_id": "gone", "file_name": "WDG/2018/page_2.pdf"}
    changes = [{}, {"company_name": "Zinc AG", "company_cik": None}, {"report_year": 2017}, {"context_id": "c1f2"}]
    rows = asked_rows(tmp_path, *(of_file | change | {"id": str(i)} for i, change in enumerate(changes)))
    assert [row["reason"] for row in rows] == [None] * 4
    # of neither the company nor the year; of the company; of the year; an id of its own states neither
    assert [row["record"]["cik_int"] for row in rows] == [[7], [8], [8], [9]]
    assert [row["record"]["years"] for row in rows] == [[2018], [2017], [2017], [0]]


FINDER = {
    "_id": "b33fcee7",
    "text": "Widget Works goodwill testing, any write-offs",
    "reasoning": True,
    "category": "Accounting",
    "references": ["Goodwill of the segments was tested, and none was impaired.\nSee Note 5."],
    "answer": "Goodwill was tested and not impaired.",
    "type": "Compositional",
}


def test_a_question_of_finder_names_its_company_and_its_passage_the_year(tmp_path):
    gone = FINDER | {"_id": "g", "references": ["Inventories of all the regions were written down by 90 dollars."]}
    rows = asked_rows(
        tmp_path,
        FINDER,
        FINDER | {"_id": "n", "text": "Goodwill testing of NBDY, any write-offs"},
        FINDER | {"_id": "t", "text": "Widget Works against Zinc AG: goodwill"},
        gone,
        {name: value for name, value in FINDER.items() if name != "answer"},
    )
    reasons = [None, "unknown_company", "unknown_company", "evidence_not_found", "invalid_schema"]
    assert [row["reason"] for row in rows] == reasons
    assert (rows[0]["record"]["cik_int"], rows[0]["record"]["years"]) == ([7], [2018])
    assert rows[0]["record"]["evidence_sentence_ids"] == ["k3"]
    assert rows[1]["detail"].startswith("question: Goodwill testing of NBDY, any write-offs names no company")
    assert "names several companies" in rows[2]["detail"] and "stands nowhere" in rows[3]["detail"]


def test_finder_is_published_as_parquet(tmp_path):
    path = tmp_path / "finder.parquet"
    parquet.write_table(pyarrow.Table.from_pylist([FINDER]), path)
    [row] = asked(path)
    assert row["reason"] is None and row["record"]["notes"].startswith("category: Accounting; type: Compositional")
    path.write_bytes(b"PAR1")
    with pytest.raises(FinragError, match=r"cannot be read.*It must be a Parquet file"):
        asked(path)


FINRATE = {
    "question": "What was spent on widgets in 2018?",
    "answer": "It spent $1,577 million.",
    "source": "chunk_based",
    "key_points": ["The amount must be stated as $1,577 million.", "The answer must speak of 2018."],
    "doc_id": "WIDGET_2018_10K",
    "q_id": "qa_1_000000",
}


def test_a_question_of_fin_rate_is_about_documents_and_keeps_its_points(tmp_path):
    without = {name: value for name, value in FINRATE.items() if name != "doc_id"}
    rows = asked_rows(
        tmp_path,
        FINRATE,
        without | {"q_id": "b", "doc_ids": ["WIDGET_2018_10K", "NYSE_ZNC_2018", "doc_000009"]},
        without | {"q_id": "c"},
        FINRATE | {"q_id": "d", "doc_id": "doc_000009"},
    )
    assert [row["reason"] for row in rows] == [None, None, "invalid_schema", "unknown_document"]
    assert rows[0]["record"]["key_points"] == FINRATE["key_points"]
    assert rows[0]["pages"] == [{"filing_id": "WIDGET_2018_10K", "page_no": None, "grade": 1}]
    assert (rows[1]["record"]["cik_int"], rows[1]["record"]["retrieval_scope"]) == ([7, 8], "cross_company")
    # a document that is not there is missing gold
    assert [each["piece"] for each in rows[1]["unfound"]] == ["doc_000009"]
    assert "doc_id, or doc_ids" in rows[2]["detail"]


LEDGER = {
    "query_id": "ZNC_revenue_2018",
    "query_text": "What was the revenue of Zinc in 2018?",
    "ticker": "ZNC",
    "exchange": "NYSE",
    "company_name": "Zinc AG",
    "year": 2018,
    "kpi": "revenue",
    "value": 2104600000.0,
    "source": "edgar",
    "qrels": [
        {"doc_id": "NYSE_ZNC_2018/page_0000", "relevance": 2},
        {"doc_id": "NYSE_ZNC_2018/page_0003", "relevance": 1},
        {"doc_id": "NYSE_ZNC_2018/page_0004", "relevance": 0},
    ],
    "mmd_text": "Zinc\n<--- Page Split --->\n",
}


def test_pages_of_ledger_are_graded_and_counted_from_one(tmp_path):
    share = {"query_id": "b", "kpi": "eps_basic", "value": 1.25}
    elsewhere = {"query_id": "c", "exchange": "LSE", "qrels": [{"doc_id": "LSE_ZNC_2018/page_0000", "relevance": 2}]}
    wrong = {"query_id": "d", "qrels": [{"doc_id": "NYSE_ZNC_2018", "relevance": 2}]}
    rows = asked_rows(tmp_path, LEDGER, LEDGER | share, LEDGER | elsewhere, LEDGER | wrong)
    assert [row["reason"] for row in rows] == [None, None, None, "invalid_schema"]
    assert rows[0]["pages"] == [
        {"filing_id": "NYSE_ZNC_2018", "page_no": 1, "grade": 2},
        {"filing_id": "NYSE_ZNC_2018", "page_no": 4, "grade": 1},
    ]
    record = rows[0]["record"]
    assert (record["answer_text"], record["answer_unit"], record["tolerance"]) == ("2,104,600,000", "USD", 1052300)
    assert rows[1]["record"]["answer_unit"] == "USD per share"
    # a report that the corpus does not have, of a company that it has
    assert (rows[2]["pages"], rows[2]["record"]["cik_int"], rows[2]["record"]["answer_unit"]) == (None, [8], None)
    assert "page_0003" in rows[3]["detail"]


def beir_folder(tmp_path, queries: list[str], judgements: list[str], train: list[str] | None = None):
    folder = tmp_path / "mybeir"
    (folder / "qrels").mkdir(parents=True)
    (folder / "queries.jsonl").write_text("\n".join(queries), encoding="utf-8")
    header = "query-id\tcorpus-id\tscore"
    (folder / "qrels" / "test.tsv").write_text("\n".join([header, *judgements]), encoding="utf-8")
    if train:
        (folder / "qrels" / "train.tsv").write_text("\n".join([header, *train]), encoding="utf-8")
    return folder


def test_a_folder_of_beir_is_a_suite_with_graded_documents(tmp_path):
    queries = [
        '{"_id": "q1", "text": "What is sold?", "metadata": {}}',
        '{"_id": 2, "text": "Which mines?", "answer": "Those of zinc."}',
        '{"_id": "trained", "text": "Of another split?"}',
        '{"_id": "unjudged", "text": "Of none?"}',
        '{"_id": "q1", "text": "What is sold again?"}',
        '{"_id": "cut',
    ]
    judgements = ["q1\tWIDGET_2018_10K\t3", "q1\tNYSE_ZNC_2018\t0", "q1\tgone\t1", "2\tnyse_znc_2018\t1"]
    damaged = ["q1\tgone\t2", "nobody\tgone\t1", "q1 gone 1"]
    folder = beir_folder(tmp_path, queries, judgements + damaged, ["trained\tWIDGET_2018_10K\t1"])
    rows = asked(folder)
    unreadable = ["unreadable_row"] * 4
    assert [row["reason"] for row in rows] == [None, None, "invalid_schema", "duplicate_id", *unreadable]
    record = rows[0]["record"]
    assert (record["question_id"], record["answer_type"], record["answer_text"]) == ("q1", "unstated", "")
    assert rows[0]["pages"] == [{"filing_id": "WIDGET_2018_10K", "page_no": None, "grade": 3}]
    assert [each["piece"] for each in rows[0]["unfound"]] == ["gone"]
    assert (rows[1]["question_id"], rows[1]["record"]["answer_type"]) == ("2", "span")
    assert "qrels/test.tsv judges no document for this query" in rows[2]["detail"]
    assert "is no JSON" in rows[4]["detail"]
    assert [row["detail"] for row in rows[5:]] == [
        "qrels/test.tsv, line 6: gone is judged twice for q1, with different scores",
        "qrels/test.tsv, line 7: the query nobody is none of queries.jsonl",
        "qrels/test.tsv, line 8: q1 gone 1 where query-id, corpus-id and score are expected, parted by tabs",
    ]


@pytest.mark.parametrize(
    ("first", "said"),
    [
        ("query-id\tcorpus-id\tscore", None),
        ("query_id corpus_id score", None),
        ("qid\titeration\tdocid\trelevance", None),
        ("q1\tNYSE_ZNC_2018\t1 ", None),
        (" q1 \tNYSE_ZNC_2018\t1.0", None),
        ("q1\tWIDGET_2018_10K\tx", "q1 WIDGET_2018_10K x where query-id"),
        ("q1\tWIDGET_2018_10K", "q1 WIDGET_2018_10K where query-id"),
        ("q1\tWIDGET_2018_10K\tnan", "nan where query-id"),
        ("q1\t0\tWIDGET_2018_10K\t1", "parted by tabs; it has four columns, as TREC's qrels have"),
        ("q1 0 WIDGET_2018_10K 1", "parted by tabs; it has four columns, as TREC's qrels have"),
    ],
)
def test_a_first_line_is_a_header_a_judgement_or_a_fault(tmp_path, first, said):
    folder = beir_folder(tmp_path, ['{"_id": "q1", "text": "Which mines?", "answer": ""}'], [])
    (folder / "qrels" / "test.tsv").write_text(f"{first}\nq1 \tNYSE_ZNC_2018\t1\n", encoding="utf-8")
    rows = asked(folder)
    assert rows[0]["reason"] is None and rows[0]["record"]["answer_type"] == "unstated"
    assert [row["reason"] for row in rows[1:]] == ["unreadable_row"] * bool(said)
    assert not said or (rows[1]["detail"].startswith("qrels/test.tsv, line 1: q1 ") and said in rows[1]["detail"])


def test_what_is_judged_irrelevant_tells_no_company(tmp_path):
    queries = [f'{{"_id": "q{number}", "text": "Which mines?"}}' for number in range(3)]
    judgements = ["q0\tWIDGET_2018_10K\t1", "q0\tNYSE_ZNC_2018\t0", "q1\tNYSE_ZNC_2018\t0"]
    judgements += ["q2\tgone\t1", "q2\tNYSE_ZNC_2018\t0"]
    rows = asked(beir_folder(tmp_path, queries, judgements))
    assert [row["reason"] for row in rows] == [None, "nothing_relevant", None]
    assert (rows[0]["record"]["cik_int"], rows[0]["record"]["retrieval_scope"]) == ([7], "local")
    assert "nothing is judged above 0" in rows[1]["detail"]
    # nothing else tells it
    assert rows[2]["record"]["cik_int"] == [8] and [each["piece"] for each in rows[2]["unfound"]] == ["gone"]


@pytest.mark.parametrize(
    "name",
    [
        "WIDGET_2018_10K.pdf",
        " WIDGET_2018_10K ",
        "pdfs/WIDGET_2018_10K.pdf",
        "C:\\suite\\widget_2018_10k.PDF.gz",
        # é of one letter; the file has two
        "soci\u00e9t\u00e9_2018.md",
        "SOCIE\u0301TE\u0301_2018",
    ],
)
def test_a_document_is_found_by_the_name_of_its_file(tmp_path, monkeypatch, name):
    filings = [*FILINGS, ("socie\u0301te\u0301_2018", 9, "S", 2018), ("2018_10K", 9, "S", 2018)]
    monkeypatch.setitem(globals(), "FILINGS", filings)
    monkeypatch.setitem(globals(), "STATED", [*STATED, ("s1", filings[-2][0], 2, CAPEX, "table_row")])
    found, ids = ("WIDGET_2018_10K", ["k2"]) if "2018_10" in name.lower() else (filings[-2][0], ["s1"])
    plain = {"question": "How much?", "answer": 1577, "document": name, "page": 2, "evidence": CAPEX}
    evidence = [FINANCEBENCH["evidence"][0] | {"doc_name": name, "evidence_page_num": 1}]
    for record in (plain, FINANCEBENCH | {"doc_name": name, "evidence": evidence}):
        [row] = asked_rows(tmp_path, record)
        assert row["reason"] is None and row["unfound"] is None, row
        assert row["pages"] == [{"filing_id": found, "page_no": 2}]
        assert row["record"]["evidence_sentence_ids"] == ids


def test_the_exact_name_of_a_document_comes_before_others():
    known = Documents([Document(name, 1, "A", 2018) for name in ("a", "b/a", "a.pdf")])
    assert [known.find(name).filing_id for name in ("A", "b/a", "c/a", "a.pdf", "a.md")] == [
        *("a", "b/a", "a", "a.pdf", "a"),
    ]
    assert known.find("c") is known.find("") is None


def test_a_folder_that_is_no_suite_is_one_error(tmp_path):
    (tmp_path / "plain").mkdir()
    with pytest.raises(FinragError, match=r"lacks queries.jsonl or qrels/test.tsv"):
        suite_files(f"mine={tmp_path}/plain")
    # a glob takes the folders that are suites
    beir_folder(tmp_path, [], [])
    assert [file.name for file in suite_files(f"{tmp_path}/*")] == ["mybeir"]
    with pytest.raises(FinragError, match="holds no question"):
        asked(tmp_path / "mybeir")


OF_PLAIN = {"question": "How much?", "answer": 1577, "document": "WIDGET_2018_10K", "page": 2}
GREW = "Widget sales grew because of the new stores that were opened there in the spring."
ONE_YEAR = [("W_2017", 7, "Widget Works, Inc.", 2017), ("W_2018", 7, "Widget Works, Inc.", 2018)]
TWO_YEARS = [
    # the page that is quoted lacks a word, a page of the other year that is named has every one
    ("a1", "W_2018", 1, GREW.replace("the new", "new"), "prose"),
    ("b1", "W_2017", 1, "Inventories of all regions were written down in the autumn of it.", "prose"),
    ("b2", "W_2017", 2, GREW, "prose"),
    # boilerplate
    ("a3", "W_2018", 3, STATED[2][3], "prose"),
    ("b3", "W_2017", 3, STATED[2][3], "prose"),
]


@pytest.mark.parametrize(
    ("evidence", "found", "unfound"),
    [
        # to each its own page, though another that the question names fits better
        ([("W_2018", 0, GREW), ("W_2017", 0, TWO_YEARS[1][3])], ["a1", "b1"], []),
        # boilerplate is of the document that is named, and of each where it is quoted from both
        ([("W_2018", 2, STATED[2][3]), ("W_2017", 0, TWO_YEARS[1][3])], ["a3", "b1"], []),
        ([("W_2018", 2, STATED[2][3]), ("W_2017", 2, STATED[2][3])], ["a3", "b3"], []),
        # what a document does not have is not taken from another
        ([("W_2018", 0, TWO_YEARS[1][3]), ("W_2017", 2, STATED[2][3])], ["b3"], [TWO_YEARS[1][3]]),
        ([("W_2018", 0, TWO_YEARS[1][3]), ("W_2017", 0, TWO_YEARS[1][3])], ["b1"], [f"W_2018: {TWO_YEARS[1][3]}"]),
    ],
)
def test_evidence_is_of_the_document_that_it_is_quoted_from(tmp_path, monkeypatch, evidence, found, unfound):
    monkeypatch.setitem(globals(), "FILINGS", ONE_YEAR)
    monkeypatch.setitem(globals(), "STATED", TWO_YEARS)
    quoted = [{"doc_name": name, "evidence_page_num": page, "evidence_text": text} for name, page, text in evidence]
    [row] = asked_rows(tmp_path, FINANCEBENCH | {"evidence": quoted})
    assert row["reason"] is None, row
    ids = row["record"]["evidence_sentence_ids"]
    assert [name for name in ids if len(name) == 2] == found
    assert [each["piece"] for each in row["unfound"] or []] == unfound


def test_boilerplate_of_several_documents_that_are_named_is_of_each(tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "FILINGS", ONE_YEAR)
    monkeypatch.setitem(globals(), "STATED", TWO_YEARS)
    plain = {"question": "Was it impaired?", "answer": "No", "document": ["W_2017", "W_2018"], "evidence": CAPEX}
    goodwill = TWO_YEARS[3][3]
    for change in ({"page": 3, "evidence": goodwill}, {"evidence": goodwill}, {"evidence": goodwill.lower()[:-1]}):
        [row] = asked_rows(tmp_path, plain | change)
        assert row["reason"] is None and set(row["record"]["evidence_sentence_ids"]) == {"a3", "b3"}, row


@pytest.mark.parametrize(
    ("record", "stated"),
    [
        (OF_PLAIN | {"id": 12}, {"question_id": "12"}),
        (OF_PLAIN | {"page": "2", "evidence": "", "id": ""}, {"evidence_sentence_ids": []}),
        (OF_PLAIN | {"page": 2.0, "evidence": [CAPEX, ""]}, {"evidence_sentence_ids": ["k2"]}),
        (OF_PLAIN | {"answer": None}, {"answer_type": "unstated", "answer_text": ""}),
        (OF_PLAIN | {"answer": "", "evidence": CAPEX}, {"answer_type": "unstated", "evidence_sentence_ids": ["k2"]}),
        (OF_PLAIN | {"answer": [1, "two"]}, {"answer_type": "list", "answer_text": ["1", "two"]}),
        (FINANCEBENCH | {"financebench_id": 3}, {"question_id": "3"}),
        (FINANCEBENCH | {"answer": 0.66}, {"answer_numeric": 0.66}),
        (FINANCEBENCH | {"answer": [1, 2]}, {"answer_text": ["1", "2"]}),
        (T2 | {"id": 4, "context_id": 5}, {"question_id": "4"}),
        (FINDER | {"_id": 6, "answer": 7}, {"question_id": "6", "answer_numeric": 7}),
        (FINRATE | {"q_id": 8, "answer": 9.5}, {"question_id": "8", "answer_numeric": 9.5}),
        (LEDGER | {"query_id": 9, "year": "2018", "value": "1234"}, {"question_id": "9", "answer_numeric": 1234}),
        (LEDGER | {"year": "", "value": "12.5e2"}, {"years": [2018], "answer_text": "1,250"}),
        ({"id": 10, "question": "How much?", "answer": "Much.", "evidence": ["z1"]}, {"question_id": "10"}),
    ],
)
def test_values_as_tables_have_them_are_taken(tmp_path, record, stated):
    [row] = asked_rows(tmp_path, record)
    assert row["reason"] is None, row
    assert {name: row["record"][name] for name in stated} == stated
    assert row["question_id"] == row["record"]["question_id"]


def test_a_question_by_page_keeps_fields_of_ours(tmp_path):
    own = {"tolerance": 0.5, "answer_unit": "USD billions", "key_points": ["a"], "difficulty": "hard", "category": "C"}
    whole = OF_PLAIN | {"answer": "3.14", "notes": "mine", "answer_type": "", "created_by": "me"}
    rows = asked_rows(tmp_path, whole | own, whole | {"id": "b", "difficulty": "none"})
    record = rows[0]["record"]
    assert {name: record[name] for name in own} == own
    assert (record["answer_type"], record["answer_numeric"]) == ("numeric", 3.14)
    assert record["notes"].startswith("mine; filled in: ") and record["created_by"] == "stated by page"
    assert rows[1]["reason"] == "invalid_schema" and "difficulty" in rows[1]["detail"]


def test_questions_by_page_may_stand_beside_questions_of_our_own_schema(tmp_path):
    own = {"question": "Were mines closed?", "answer": "Yes", "evidence": ["z1"]}
    for records in ([own, OF_PLAIN], [OF_PLAIN, own]):
        rows = asked_rows(tmp_path, *records)
        assert [row["reason"] for row in rows] == [None, None]
        assert sorted(len(row["pages"] or []) for row in rows) == [0, 1]


def test_pages_and_grades_may_be_written_with_a_point(tmp_path):
    evidence = [FINANCEBENCH["evidence"][0] | {"doc_name": "WIDGET_2018_10K", "evidence_page_num": 1.0}]
    judged = [{"doc_id": "NYSE_ZNC_2018/page_0000", "relevance": 1.0}]
    records = [FINANCEBENCH | {"evidence": evidence}, OF_PLAIN | {"page": [1.0, " 2 "]}, LEDGER | {"qrels": judged}]
    rows = [row for record in records for row in asked_rows(tmp_path, record)]
    assert [[page["page_no"] for page in row["pages"]] for row in rows] == [[2], [1, 2], [1]]


@pytest.mark.parametrize(
    "change",
    [{"page": "two"}, {"page": 2.5}, {"page": True}, {"page": 0}, {"answer": [{}]}, {"answer": []}, {"document": ""}],
)
def test_values_that_are_none_are_refused(tmp_path, change):
    [row] = asked_rows(tmp_path, OF_PLAIN | change)
    assert row["reason"] == "invalid_schema" and next(iter(change)) in row["detail"]


PAGES = "a whole number from 1, or a list of them"


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (OF_PLAIN | {"page": 0}, f"page: 0; expected {PAGES}"),
        (OF_PLAIN | {"page": [1, 0]}, f"page.1: 0; expected {PAGES}"),
        (
            OF_PLAIN | {"answer": None, "answer_type": "no_answer"},
            "answer_type no_answer says that the filings have no answer, and page is stated: leave one out",
        ),
        (T2 | {"program_answer": ""}, 'program_answer: ""; expected a number or a text, not empty'),
        (
            T2 | {"report_year": 1899, "file_name": None},
            "report_year: expected a year from 1980 to 2100, or 0 for a document that states none",
        ),
        (
            FINDER | {"references": [" "]},
            'references: [" "]; expected a list of passages, one or more of which are not empty',
        ),
        (LEDGER | {"value": None}, "value: null; expected a number"),
        *(
            (FINANCEBENCH | {"evidence": given}, f"evidence: {json.dumps(given)}; expected a list of objects, one or ")
            for given in ([], [{"evidence_text": " "}])
        ),
        (FINANCEBENCH | {"evidence": [{}]}, "evidence.0.evidence_text: missing; expected a text"),
    ],
)
def test_a_fault_is_said_in_the_words_of_the_format(tmp_path, record, said):
    [row] = asked_rows(tmp_path, record)
    assert row["reason"] == "invalid_schema" and row["detail"].startswith(said), row["detail"]
    assert ";" not in row["detail"].removeprefix(said)


def test_every_field_that_can_be_at_fault_says_what_is_allowed():
    for model in (Question, *(form.row for form in FORMATS)):
        described = descriptions(model)
        # an id that is none is as if there were none
        assert {name for name, allowed in described.items() if not allowed} <= {"id", "doc_id"}, model


def test_evidence_that_is_not_there_is_told_for_what_it_is(tmp_path):
    """An id, a document, a text of a year without filings, and one that was compared, each in its own words."""
    own = {"question": "Were mines closed?", "answer": "Yes", "cik_int": [8], "company_name": ["Z"], "years": [2018]}
    gone = [{"doc_id": "GONE/page_0000", "relevance": 1}]
    records = [
        own | {"evidence": ["z1", "nope_1"]},
        LEDGER | {"qrels": LEDGER["qrels"][:1] + gone},
        own | {"evidence": "Zinc mines were closed.", "years": [1999]},
        own | {"evidence": "Zinc mines were opened for a year in the summer."},
    ]
    details = [row["unfound"][0]["detail"] for record in records for row in asked_rows(tmp_path, record)]
    assert details[:3] == [
        "no sentence of the corpus has this id",
        "the corpus has no document of this name",
        "no filing of the company and the years that are asked about has anything like it",
    ]
    assert details[3].startswith("the best score of a sentence is ") and details[3].endswith(", 90 are needed")


def test_a_document_that_holds_no_answer_is_no_gold(tmp_path):
    none = {"question": "Was it?", "answer": None, "answer_type": "no_answer", "document": "WIDGET_2018_10K"}
    [row] = asked_rows(tmp_path, none)
    assert (row["reason"], row["pages"], row["record"]["cik_int"]) == (None, None, [7])


def test_a_long_page_is_found_by_alignment(tmp_path):
    long = T2 | {"context": " ".join([T2["context"], *(f"Of note {i} nothing stands here at all." for i in range(40))])}
    assert len(long["context"]) > PAGE
    [row] = asked_rows(tmp_path, long)
    assert row["record"]["evidence_sentence_ids"] == ["k1", "k2"]


IN_BILLIONS = "What was the FY2018 capital expenditure of Widget Works (in USD billions)?"
OF_CAPEX = FINANCEBENCH | {
    "doc_name": "WIDGET_2018_10K",
    "question": IN_BILLIONS,
    "answer": "$1.577",
    "evidence": [FINANCEBENCH["evidence"][0] | {"doc_name": "WIDGET_2018_10K", "evidence_page_num": 1}],
}
OF_PAGE = {"question": IN_BILLIONS, "answer": "$1.577", "document": "WIDGET_2018_10K", "page": 2, "evidence": [CAPEX]}
BILLIONS = (1.577, "USD billions")


@pytest.mark.parametrize(
    ("record", "gold", "right"),
    [
        (OF_CAPEX, BILLIONS, "numeric_match"),
        (OF_PAGE, BILLIONS, "numeric_match"),
        (FINDER | {"text": IN_BILLIONS, "references": [CAPEX], "answer": "$1.577"}, BILLIONS, "numeric_match"),
        (FINRATE | {"answer": "It spent $1.577 billion."}, (None, None), "key_points_stated"),
    ],
    ids=["financebench", "page", "finder", "fin_rate"],
)
def test_a_value_in_other_units_than_its_evidence(tmp_path, record, gold, right):
    """The row of the cash flow statement is in millions; the suite asks in billions, and answers come in any unit."""
    [row] = asked_rows(tmp_path, record)
    assert row["reason"] is None, row
    stated = row["record"]
    assert (stated["answer_numeric"], stated["answer_unit"]) == gold
    if right == "numeric_match":
        # Fin-RATE quotes nothing
        assert stated["evidence_sentence_ids"] == ["k2"]
    fields = dict.fromkeys(field.name for field in dataclasses.fields(Answer)) | {
        "question_text": stated["question_text"],
        "answer_type": stated["answer_type"],
        "gold_text": stated["answer_text"],
        "gold_numeric": stated["answer_numeric"],
        "gold_unit": stated["answer_unit"],
        "tolerance": stated["tolerance"],
        "key_points": stated.get("key_points"),
        "evidence": [],
        "companies": [],
        "existing_sentence_ids": [],
    }
    said = {
        "It spent $1,577 million on it in 2018.": True,
        "It spent $1,577,000 thousand on it in 2018.": True,
        "It spent $1,577 billion on it in 2018.": False,
        "It spent $1.577 million on it in 2018.": False,
    }
    for text, is_right in said.items():
        verdict = judge(Answer(**fields | {"answer_text": text}), CrossReferences([]))
        # of the two points one is the amount, the other the year
        assert verdict[right] == (is_right if right == "numeric_match" else 1 + is_right), text
