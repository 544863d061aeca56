"""Documents of any kind: PDFs with their pages, Markdown and text, from the file to sentences and evidence."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pyarrow
import pytest
from pyarrow import parquet

from databases import in_memory
from finrag.corpus import sources
from finrag.corpus.documents.document import WHOLE, read_any
from finrag.corpus.documents.pdf import read_pdf, refused
from finrag.corpus.documents.tables import Table, read_table, wrong_rows
from finrag.corpus.filings import headings_over, pages_of
from finrag.corpus.html.document import UnreadableError
from finrag.corpus.layouts import read_layouts
from finrag.corpus.names import FIRST_OF_UNKNOWN, number_of
from finrag.corpus.splitting import split_sentences
from finrag.inputs.suites import read_suites
from finrag.text.companies import Companies
from pdfs import LEADING, lines, pdf, row
from warehouses import CORPUS_AND_BUNDLES, ROOT, SEEDS, Warehouse

# Set to a column of some 480 points: the first line of a paragraph is full, the last is not.
PROSE = (
    "Net sales of the widget segment increased in every region because more of our customers there have",
    "ordered by way of dealers, whose margins are lower than those of any of our own shops. The weak-",
    "ness of the dollar helped.",
)
MORE = (
    "A second paragraph stands below with a gap above it, and its first line is nearly as wide as all others",
    "of the page are.",
)
HEADER = "WIDGET WORKS, INC. ANNUAL REPORT"
TEN_K = (
    lines("FORM 10-K", "", "For the fiscal year ended June 30, 2021", "", "Widget Works, Inc.", "",
          "(Exact name of registrant as specified in its charter)"),
    lines("Item 1. Business", "", "We make widgets. They are blue."),
    lines("Item 7. Management's Discussion and Analysis", "", "Sales rose 5% to $12 million in the year and"),
    lines("continued to rise after it.", "", "Item 8. Financial Statements", "", "See the notes below for more."),
)  # fmt: skip


def write(folder: Path, content: bytes | str, name: str = "note.pdf") -> str:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return str(path)


def read(folder: Path, *pages) -> list[tuple[int, str, bool]]:
    found = read_pdf(write(folder, pdf(*pages)))
    return [(paragraph.page, paragraph.text, paragraph.is_row) for paragraph in found]


def test_lines_without_room_for_the_next_word_are_one_paragraph(tmp_path):
    assert [text for _, text, _ in read(tmp_path, lines(*PROSE, "", *MORE))] == [
        # a word that is parted at the end of a line keeps its hyphen: it may have one
        f"{PROSE[0]} {PROSE[1]}{PROSE[2]}",
        " ".join(MORE),
    ]


def test_short_lines_and_items_of_lists_stand_alone(tmp_path):
    listed = ("Products", "• Widgets of every colour and size, among them the blue ones that were sold to dealers by",
              "  the shops", "• Gadgets", "Revenue rose.")  # fmt: skip
    assert [text for _, text, _ in read(tmp_path, lines(*listed))] == [
        "Products",
        "• Widgets of every colour and size, among them the blue ones that were sold to dealers by the shops",
        "• Gadgets",
        "Revenue rose.",
    ]


def test_rows_of_a_table_are_whole_and_alone(tmp_path):
    table = [
        *row(700, "(in millions)", "2021", "2020"),
        *row(700 - LEADING, "Net sales", "$1,234.5", "$1,100.0"),
        *row(700 - 2 * LEADING, "Other income of the parent and its affiliates", "(12.5)", "—"),
    ]
    assert read(tmp_path, [*lines(PROSE[0], PROSE[2]), *table]) == [
        (1, f"{PROSE[0]} {PROSE[2]}", False),
        (1, "(in millions) 2021 2020", True),
        (1, "Net sales $1,234.5 $1,100.0", True),
        (1, "Other income of the parent and its affiliates (12.5) —", True),
    ]


def test_pages_are_counted_from_one_and_empty_ones_too(tmp_path):
    found = read(tmp_path, lines(*PROSE), [], lines(*MORE))
    assert [page for page, *_ in found] == [1, 3]


def test_headers_and_page_numbers_are_no_text(tmp_path):
    said = [f"Revenue of {region} rose by {region[0]}." for region in ("Asia", "Europe", "Oceania", "Africa", "Chile")]
    pages = [[*lines(HEADER, "", text), (300, 40, str(number))] for number, text in enumerate(said, start=1)]
    [item] = read_any(write(tmp_path, pdf(*pages))).items
    assert item.text.replace("\f", "").splitlines() == said
    assert (item.label, item.first_page, item.text.count("\f")) == (WHOLE, 1, 4)


def test_a_10_k_has_its_items_and_their_pages(tmp_path):
    told = read_any(write(tmp_path, pdf(*TEN_K), "WIDGETWORKS_2021_10K.pdf"))
    assert (told.doc_id, told.company_name, told.form_type) == ("WIDGETWORKS_2021_10K", "Widget Works, Inc.", "10-K")
    assert (told.report_year, told.report_year_source, told.period_end) == (2021, "period_of_report", "2021-06-30")
    items = {item.label: item for item in told.items}
    assert [(items[label].first_page, items[label].fault) for label in ("1", "7", "8")] == [
        (2, None),
        (3, None),
        (4, None),
    ]
    assert items["9A"].fault.startswith("missing item") and items["9A"].text is None
    sentences = split_sentences(items["7"].text)
    # a sentence over two pages is of the one it begins on
    assert sentences[-1] == "Sales rose 5% to $12 million in the year and continued to rise after it."
    assert pages_of(sentences, items["7"].text, 3)[-1] == 3


@pytest.mark.parametrize(
    ("text", "sentences", "pages"),
    [
        ("One two.\f\nThree four.\n", ["One two.", "Three four."], [5, 6]),
        # an empty page between them, and a sentence that begins with the page
        ("One two.\n\f\fThree four.\n", ["One two.", "Three four."], [5, 7]),
        ("One\f two. Three four.", ["One two.", "Three four."], [5, 6]),
        ("1. One.\n", ["1. One."], [5]),
    ],
)
def test_the_page_of_a_sentence_is_where_its_first_letter_stands(text, sentences, pages):
    assert pages_of(sentences, text, 5) == pages


@pytest.mark.parametrize(
    ("name", "company", "form", "year", "source"),
    [
        ("3M_2018_10K.md", "3M", "10-K", 2018, "file_name"),
        ("AMCOR_2023Q4_EARNINGS.md", "AMCOR", "EARNINGS", 2023, "file_name"),
        ("BESTBUY_2024Q2_10Q.md", "BESTBUY", "10-Q", 2024, "file_name"),
        ("PG_2022_8K_dated-2022-07-01.md", "PG", "8-K", 2022, "file_name"),
        ("board minutes.txt", "board minutes", "document", 0, "not_stated"),
    ],
)
def test_what_a_name_says_of_a_document(tmp_path, name, company, form, year, source):
    told = read_any(write(tmp_path, "Revenue rose by a fifth.", name))
    assert (told.company_name, told.form_type, told.report_year, told.report_year_source) == (
        company,
        form,
        year,
        source,
    )
    assert told.cik == number_of(company) and 9_000_000_000 <= told.cik <= 9_999_999_999


def test_sql_knows_the_numbers_that_were_made_up():
    text = (ROOT / "macros" / "is_made_up.sql").read_text(encoding="utf-8")
    assert int(re.search(r">= (\d+)", text)[1]) == FIRST_OF_UNKNOWN


def test_a_company_has_one_number_however_it_is_spelled():
    assert number_of("Best Buy") == number_of("BESTBUY") != number_of("PG")


TYPED = """<PAGE>   1
                FORM 10-K
   For the fiscal year ended June 30, 1996
              WIDGET WORKS
          --------------------
     (Exact name of registrant as specified in its charter)
<PAGE>   2
Item 1.  Business
   We make widgets.
Item 7.  Management's Discussion and Analysis
<TABLE>
<S>                          <C>
Net sales                    $12
</TABLE>
<PAGE>   3
Item 8.  Financial Statements
   See page F-1.<F1>
"""
SUBMISSION = f"""<SEC-HEADER>
CONFORMED SUBMISSION TYPE:\t10-K405
CONFORMED PERIOD OF REPORT:\t19960630
FILER:
\tCOMPANY CONFORMED NAME:\t\t\tWIDGET WORKS INC
\tCENTRAL INDEX KEY:\t\t\t0000000042
FILER:
\tCOMPANY CONFORMED NAME:\t\t\tWIDGET CAPITAL LLC
</SEC-HEADER>
<DOCUMENT>
<TYPE>10-K405
<TEXT>
{TYPED}</TEXT>
</DOCUMENT>
<DOCUMENT>
<TYPE>EX-27
<TEXT>
<TOTAL-REVENUES> 12
</TEXT>
</DOCUMENT>
"""


def test_a_rule_under_a_companys_name_is_not_its_name(tmp_path):
    told = read_any(write(tmp_path, TYPED, "0000000042-96-000001.txt"))
    assert (told.company_name, told.cik) == ("WIDGET WORKS", number_of("Widget Works"))
    nameless = read_any(write(tmp_path, TYPED.replace("WIDGET WORKS", "1234"), "0000000042-96-000001.txt"))
    assert nameless.company_name == "0000000042-96-000001"
    assert number_of("---") != number_of("***")


def test_the_header_of_a_submission_says_whose_it_is_and_its_exhibits_are_none_of_it(tmp_path):
    told = read_any(write(tmp_path, SUBMISSION, "0000000042-96-000001.txt"))
    assert (told.cik, told.company_name, told.form_type, told.period_end) == (
        *(42, "WIDGET WORKS INC", "10-K405", "1996-06-30"),
    )
    items = {item.label: item for item in told.items if item.text}
    # marks of pages and columns are no text, and pages are counted by theirs
    assert {label: (item.first_page, split_sentences(item.text)) for label, item in items.items()} == {
        "1": (2, ["Item 1. Business", "We make widgets."]),
        "7": (2, ["Item 7. Management's Discussion and Analysis Net sales $12"]),
        "8": (3, ["Item 8. Financial Statements", "See page F-1."]),
    }


def test_the_filing_of_a_submission_may_be_html(tmp_path):
    page = "<html><body><p>Item 1. Business</p><p>We make <b>widgets</b>.</p></body></html>"
    told = read_any(write(tmp_path, SUBMISSION.replace(TYPED, page), "a.txt"))
    assert (told.cik, told.report_year, told.form_type) == (42, 1996, "10-K405")
    assert split_sentences(told.items[0].text) == ["Item 1. Business", "We make widgets."]


@pytest.mark.parametrize(
    "before", ["", "\ufeff\n", "<?xml version='1.0'?>\n<!-- made by hand -->\n", "<!DOCTYPE html>"]
)
def test_a_page_of_html_is_one_where_its_name_says_text(tmp_path, before):
    page = before + "<HTML lang='en'><body><p>We make <b>widgets</b>.</p></body></HTML>"
    assert split_sentences(read_any(write(tmp_path, page, "a.txt")).items[0].text) == ["We make widgets."]
    told = read_any(write(tmp_path, "Pages begin with <html>.", "b.txt"))
    assert split_sentences(told.items[0].text) == ["Pages begin with <html>."]


def test_markdown_is_read_without_its_marks(tmp_path):
    text = (
        "# Quarter\n\nRevenue was **$12.5 million**\nin the quarter.\n\n"
        "| Segment | 2023 |\n| --- | ---: |\n| Widgets | 7.5 |\n\n- Debt fell.\n- Cash rose.\n"
    )
    [item] = read_any(write(tmp_path, text, "quarter.md")).items
    assert split_sentences(item.text) == [
        *("Quarter", "Revenue was $12.5 million in the quarter."),
        *("Segment 2023", "Widgets 7.5", "- Debt fell.", "- Cash rose."),
    ]
    assert item.first_page is None


TAGGED = (
    '<div><ix:nonNumeric name="dei:DocumentType">10-Q</ix:nonNumeric>'
    '<ix:nonNumeric name="dei:EntityRegistrantName">Widget Works, Inc.</ix:nonNumeric>'
    '<ix:nonNumeric name="dei:EntityCentralIndexKey">0000000042</ix:nonNumeric>'
    '<ix:nonNumeric name="dei:DocumentPeriodEndDate">2022-03-31</ix:nonNumeric></div>'
)


def test_html_that_is_no_10_k_is_one_section_without_pages(tmp_path):
    body = (
        "<p>Quarter</p><p>Revenue was <b>$12.5</b> million\nin it.</p><hr style='page-break-after: always'/>"
        "<table><tr><td>Widgets</td><td>7.5</td><td>8</td></tr></table><p style='display: none'>Hidden.</p>"
    )
    told = read_any(write(tmp_path, f"<html><body>{body}</body></html>", "ACME_2022Q1_10Q.html"))
    [item] = told.items
    assert (told.doc_id, told.company_name, told.form_type, told.report_year) == (
        "ACME_2022Q1_10Q",
        "ACME",
        "10-Q",
        2022,
    )
    assert (item.label, item.first_page) == (WHOLE, None)
    assert split_sentences(item.text) == ["Quarter", "Revenue was $12.5 million in it.", "Widgets 7.5 8"]
    # inline XBRL says more than the name
    told = read_any(write(tmp_path, f"<html><body>{TAGGED}{body}</body></html>", "quarter.htm"))
    assert (told.doc_id, told.cik, told.company_name, told.form_type) == ("quarter", 42, "Widget Works, Inc.", "10-Q")
    assert (told.report_year, told.period_end) == (2022, "2022-03-31")


SECTIONS = [(0, "Sales"), (18, "Costs & taxes")]
# A heading is set larger than 1.2 times the text; a figure and a long line are none, however large.
LARGE = pdf(
    [
        *((60, 760, "Sales", 14), (60, 730, "Prices rose by 3.")),
        *((60, 700, "Costs & taxes", 12.5), (60, 670, "Few were paid.", 11)),
        *((60, 640, "2021", 30), (60, 600, "b" * 151, 13), *lines(*PROSE, "", *PROSE, top=560)),
    ]
)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.md", "# Sales\nPrices rose by 3.\n\n## Costs & taxes\nFew were paid."),
        (
            "a.html",
            "<html><h1>Sales</h1><p>Prices rose by 3.</p><h3>Costs &amp; <b>taxes</b></h3>Few were paid.</html>",
        ),
        ("a.pdf", LARGE),
    ],
)
def test_headings_are_known_by_their_marks_or_by_their_size(tmp_path, name, content):
    [item] = read_any(write(tmp_path, content, name)).items
    assert item.headings == SECTIONS
    sentences = split_sentences(item.text)[:4]
    assert sentences == ["Sales", "Prices rose by 3.", "Costs & taxes", "Few were paid."]
    assert headings_over(sentences, item.headings) == ["Sales", "Sales", "Costs & taxes", "Costs & taxes"]


def test_what_stands_before_the_first_heading_is_under_none(tmp_path):
    [item] = read_any(write(tmp_path, "Prices rose.\n\n# Costs\nFew.", "a.md")).items
    assert headings_over(["Prices rose.", "Costs", "Few."], item.headings) == [None, "Costs", "Costs"]
    # plain text marks none
    assert read_any(write(tmp_path, "COSTS\nFew were paid.", "a.txt")).items[0].headings == []


@pytest.mark.parametrize(
    ("content", "name", "said"),
    [
        (b"%PDF-1.4\nbroken", "cut.pdf", "is no PDF that can be opened"),
        (pdf(lines(*PROSE))[:300], "cut.pdf", "is no PDF that can be opened"),
        (b"any", "packed.pdf.gz", "is a packed PDF"),
        (pdf([], [], []), "scan.pdf", "without a text layer: 0 letters on 3 pages"),
        ("Ünicode".encode("utf-16-be"), "note.txt", "is no UTF-8 text"),
        (b" \n ---- \n", "note.md", "has no text"),
    ],
)
def test_what_cannot_be_read_says_why(tmp_path, content, name, said):
    with pytest.raises(UnreadableError, match=said):
        read_any(write(tmp_path, content, name))


def test_a_password_is_told():
    assert "with a password" in refused("Failed to load document (PDFium: Incorrect password error).")


TABLE_LINES = (
    '{"_id": "a", "text": "A text."}',
    '{"_id": "b", "text": "One.", "text": "Two."}',
    '{"_id": "c", "text": {"p": "An object."}}',
    '{"_id": ["d"], "text": "A list of ids."}',
    "no JSON",
    '{"_id": "f", "text": "Another text.", "page": 0}',
    '{"_id": "g", "text": "The last."}',
)
OF_ALL = {"corpus": "docs/* fiqa/corpus.jsonl table/corpus.jsonl", "company_facts": ""}


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Warehouse:
    """Documents in files of their own and in two tables, in one build. Read only."""
    warehouse = Warehouse(tmp_path_factory.mktemp("documents") / "all")
    folder, fiqa, table = (warehouse.project / name for name in ("docs", "fiqa", "table"))
    for each in (folder, fiqa, table):
        each.mkdir()
    write(folder, pdf(*TEN_K), "WIDGETWORKS_2021_10K.pdf")
    write(folder, pdf(lines(*PROSE), lines("Revenue was $5 million.")), "WIDGETWORKS_2022Q1_10Q.pdf")
    write(folder, "Revenue was $7.5 million in 2020.", "notes.txt")
    write(folder, "We sell widgets.\n\n# Outlook\nSales may fall.", "brief.md")
    write(folder, pdf([]), "scan.pdf")
    write(fiqa, "\n".join(map(json.dumps, ROWS)), "corpus.jsonl")
    write(table, "\n".join(TABLE_LINES), "corpus.jsonl")
    return warehouse.build(*CORPUS_AND_BUNDLES, **OF_ALL)


def test_documents_are_built_as_filings_are(built):
    assert built.rows(
        "select filing_id, company_name, report_year, form_type from corpus.dim_filings "
        "where file_path like 'docs/%' order by 1"
    ) == [
        ("WIDGETWORKS_2021_10K", "Widget Works, Inc.", 2021, "10-K"),
        ("WIDGETWORKS_2022Q1_10Q", "WIDGETWORKS", 2022, "10-Q"),
        ("brief", "brief", 0, "document"),
        ("notes", "notes", 0, "document"),
    ]
    # two documents of one company
    companies = "select count(distinct cik) from corpus.dim_filings where file_path like 'docs/%'"
    assert built.value(f"{companies} and cik in (select cik from corpus.dim_companies)") == 3
    assert built.rows(
        "select section_id, section_heading from corpus.fct_sentences where filing_id = 'brief' order by sentence_pos"
    ) == [("DOCUMENT", None), ("DOCUMENT", "Outlook"), ("DOCUMENT", "Outlook")]
    assert built.rows(
        "select section_id, page_no from corpus.fct_sentences where filing_id like '%10Q' order by sentence_pos"
    ) == [("DOCUMENT", 1), ("DOCUMENT", 1), ("DOCUMENT", 2)]
    of_docs = "select filing_id from corpus.dim_filings where file_path like 'docs/%'"
    stated = f"select distinct filing_id from bundles.v1_kpi_scan where filing_id in ({of_docs}) order by 1"
    assert built.rows(stated) == [
        # without a year a statement is of none
        ("WIDGETWORKS_2021_10K",),
        ("WIDGETWORKS_2022Q1_10Q",),
    ]
    [(reason,)] = built.rows("select reason from staging.source_files where status = 'rejected'")
    assert "without a text layer" in reason


def test_a_document_that_is_changed_is_read_again(built, tmp_path):
    """And the others are left alone."""
    changed = built.copy(tmp_path / "changed")
    for name in ("docs", "fiqa", "table"):
        shutil.copytree(built.project / name, changed.project / name, copy_function=shutil.copy2)
    write(changed.project / "docs", "Revenue was $8.5 million in 2020.", "notes.txt")
    changed.build("--select", "+fct_sentences", "--exclude", SEEDS, **OF_ALL)
    sentences = "select sentence_id, sentence_text from corpus.fct_sentences where filing_id {} 'notes' order by 1"
    assert changed.rows(sentences.format("!=")) == built.rows(sentences.format("!="))
    assert [text for _, text in changed.rows(sentences.format("="))] == ["Revenue was $8.5 million in 2020."]


FILINGS = [
    ("ACME_2018_10K", 7, "Acme", 2018),
    ("ACME_2018Q3_10Q", 7, "Acme", 2018),
    ("OTHER_2018_10K", 8, "Other", 2018),
]
REPEATED = "Purchases of property, plant and equipment were $1,577 million in the year."
SENTENCES = [
    ("k1", "ACME_2018_10K", 3, REPEATED),
    ("k2", "ACME_2018_10K", 60, REPEATED),
    ("k3", "ACME_2018_10K", 60, "Dividends of $3,193 million were paid to shareholders."),
    ("k4", "ACME_2018_10K", 61, "They were paid in four parts of equal size."),
    ("q1", "ACME_2018Q3_10Q", 60, REPEATED),
    ("o1", "OTHER_2018_10K", 60, REPEATED),
]


def asked_of(tmp_path: Path, question: dict) -> dict:
    """The row of a question asked of FILINGS, its record read."""
    path = tmp_path / "suite.jsonl"
    path.write_text(json.dumps(question) + "\n", encoding="utf-8")
    with in_memory() as connection:
        connection.execute("create table filings (filing_id text, cik bigint, company_name text, report_year integer)")
        connection.executemany("insert into filings values (?, ?, ?, ?)", FILINGS)
        connection.execute("create table given (sentence_id text, filing_id text, page_no integer, sentence_text text)")
        connection.executemany("insert into given values (?, ?, ?, ?)", SENTENCES)
        connection.execute(
            "create table fct_sentences as select given.*, cik, company_name, report_year, 'DOCUMENT' as section_id, "
            "0 as sentence_pos, 'prose' as sentence_kind, md5(lower(sentence_text)) as text_hash, "
            "len(string_split(sentence_text, ' ')) as word_count from given inner join filings using (filing_id)"
        )
        filings = connection.sql("select *, if(filing_id like '%10Q', '10-Q', '10-K') as form_type from filings")
        tables = connection.table("fct_sentences"), Companies([]), filings
        rows = read_suites(connection, f"fb={path}", *tables)
        [row] = [dict(zip(rows.columns, each, strict=True)) for each in rows.fetchall()]
    return row | {name: json.loads(row[name]) for name in ("record", "pages") if row[name]}


@pytest.mark.parametrize(
    ("doc_name", "page", "found"),
    [
        # counted from 0
        ("ACME_2018_10K", 59, ["k2"]),
        ("acme_2018_10k", 2, ["k1"]),
        # a sentence that began on the page before may end here
        ("ACME_2018_10K", 60, ["k2"]),
        # what is not on its page is looked for in the document
        ("ACME_2018_10K", 30, ["k1"]),
        ("ACME_2018Q3_10Q", 59, ["q1"]),
        ("ACME_2018_10K", None, ["k1"]),
    ],
)
def test_evidence_is_found_on_the_page_that_is_named(tmp_path, doc_name, page, found):
    question = {
        **{"financebench_id": "f1", "company": "Called otherwise", "doc_name": doc_name, "question": "How much?"},
        **{"answer": "$1577.00", "evidence": [{"evidence_text": REPEATED, "evidence_page_num": page}]},
    }
    row = asked_of(tmp_path, question)
    assert row["reason"] is None and row["record"]["evidence_sentence_ids"] == found
    assert (row["record"]["cik_int"], row["record"]["years"]) == ([7], [2018])
    named = next(name for name, *_ in FILINGS if name.lower() == doc_name.lower())
    assert row["pages"] == [{"filing_id": named, "page_no": page + 1 if page is not None else None}]


def test_evidence_may_stand_on_two_pages(tmp_path):
    text = "Dividends of $3,193 million were paid to share-\nholders.\n61\nThey were paid in four parts of equal size."
    question = {
        **{"financebench_id": "f1", "company": "Acme", "doc_name": "ACME_2018_10K", "question": "How much?"},
        **{"answer": "$3193.00", "evidence": [{"evidence_text": text, "evidence_page_num": 59}]},
    }
    row = asked_of(tmp_path, question)
    assert (row["reason"], row["unfound"]) == (None, None)
    assert row["record"]["evidence_sentence_ids"] == ["k3", "k4"]


def test_a_question_may_name_a_page_and_nothing_else(tmp_path):
    row = asked_of(
        tmp_path, {"question": "How much was paid?", "answer": 3193, "document": "ACME_2018_10K", "page": [60, 61]}
    )
    assert row["reason"] is None and row["record"]["evidence_sentence_ids"] == []
    assert row["pages"] == [{"filing_id": "ACME_2018_10K", "page_no": page} for page in (60, 61)]
    assert (row["record"]["company_name"], row["record"]["answer_numeric"]) == (["Acme"], 3193)
    stated = {"question": "Were dividends paid?", "answer": "Yes", "document": "ACME_2018_10K", "page": 60, "id": "d"}
    row = asked_of(tmp_path, stated | {"evidence": "Dividends of $3,193 million were paid"})
    assert (row["record"]["question_id"], row["record"]["evidence_sentence_ids"]) == ("d", ["k3"])


PLAIN = {"question": "How much was paid?", "answer": 3193, "document": "ACME_2018_10K", "page": 60}
OF_FINANCEBENCH = {
    **{"financebench_id": "f1", "company": "Acme", "doc_name": "ACME_2018_10K", "question": "How much?"},
    **{"answer": "$1577.00", "evidence": [{"evidence_text": REPEATED, "evidence_page_num": 55}]},
}


@pytest.mark.parametrize(
    ("question", "gone"),
    [
        (PLAIN, []),
        (PLAIN | {"page": 99}, ["page 99 of ACME_2018_10K"]),
        (PLAIN | {"page": [60, 99]}, ["page 99 of ACME_2018_10K"]),
        (PLAIN | {"document": ["ACME_2018_10K", "GONE_2018_10K"]}, ["GONE_2018_10K"]),
        (OF_FINANCEBENCH, ["page 56 of ACME_2018_10K"]),
        # of each its own page
        (PLAIN | {"document": ["ACME_2018_10K", "OTHER_2018_10K"], "page": 3}, ["page 3 of OTHER_2018_10K"]),
    ],
)
def test_a_page_or_a_further_document_that_is_not_there_is_told(tmp_path, question, gone):
    row = asked_of(tmp_path, question)
    assert row["reason"] is None
    # no text that another could be like
    assert [(each["piece"], each["best_score"]) for each in json.loads(row["unfound"] or "[]")] == [
        (piece, None) for piece in gone
    ]


@pytest.mark.parametrize(
    ("change", "reason", "said"),
    [
        ({"document": "NOBODY_2018_10K"}, "unknown_document", "NOBODY_2018_10K is none of the corpus"),
        ({"page": 0}, "invalid_schema", "page"),
        ({"answer": []}, "invalid_schema", "answer"),
    ],
)
def test_a_page_that_cannot_be_says_why(tmp_path, change, reason, said):
    row = asked_of(tmp_path, {"question": "How much?", "answer": "$5 million", "document": "ACME_2018_10K"} | change)
    assert row["reason"] == reason and said in row["detail"]


ROWS = [
    {
        "_id": "d1",
        "title": "Alpha results",
        "text": "Revenue rose to $5 million.\n\n| Segment | 2023 |\n|---|---|\n| Widgets | 7.5 |",
    },
    {"_id": "", "text": "Nobody can name this."},
    {"_id": "d2", "text": "Taxes were paid.", "page": "2.0", "company": "Acme", "cik": "0000104169", "year": 2015},
    {"_id": "d2", "text": "Sales rose.", "page": 1, "company": "Acme", "cik": "0000104169", "year": 2015},
    {"_id": "d2", "text": "Taxes again.", "page": 2},
    {"_id": "ZINC_2019_10K", "text": "One page.\n<--- Page Split --->\nAnother."},
    {"_id": "d3", "text": "Of which page?", "page": "last"},
    {"_id": "d4", "text": None},
]


def test_rows_of_a_table_are_documents_or_pages_of_them(tmp_path):
    (tmp_path / "fiqa").mkdir()
    path = write(tmp_path / "fiqa", "\n".join(map(json.dumps, ROWS)), "corpus.jsonl")
    table = Table(path, "json", False, None)
    with in_memory() as connection:
        assert wrong_rows(connection, table) == {2: "states no doc_id", 7: "states a page that is no number from 1"}
        found = {(row, told.doc_id): told for row, told, _ in read_table(connection, table)}
    # the second page 2 is another copy of the document
    assert list(found) == [(1, "d1"), (3, "d2"), (5, "d2"), (6, "ZINC_2019_10K"), (8, "d4")]
    assert split_sentences(found[1, "d1"].items[0].text) == [
        *("Alpha results", "Revenue rose to $5 million.", "Segment 2023", "Widgets 7.5"),
    ]
    pages = found[3, "d2"]
    assert (pages.cik, pages.company_name, pages.report_year_source) == (104169, "Acme", "stated")
    assert (pages.items[0].text, pages.items[0].first_page) == ("Sales rose.\n\fTaxes were paid.\n", 1)
    assert (found[6, "ZINC_2019_10K"].company_name, found[6, "ZINC_2019_10K"].report_year) == ("ZINC", 2019)
    assert found[6, "ZINC_2019_10K"].items[0].text == "One page.\n\fAnother.\n"
    # nobody's documents are the folder's
    assert found[1, "d1"].company_name == found[8, "d4"].company_name == "fiqa"


def test_columns_of_a_table_may_have_other_names(tmp_path):
    path = tmp_path / "contexts.parquet"
    parquet.write_table(pyarrow.table({"context_id": ["c1"], "context": ["A page."], "report_year": [2014.0]}), path)
    names = {"doc_id": "context_id", "text": "context"}
    with in_memory() as connection:
        [(_, document, year)] = read_table(connection, Table(str(path), "parquet", False, names))
    assert (document.doc_id, document.company_name, year) == ("c1", "contexts", "2014")


def test_ids_and_numbers_of_a_table_may_be_floats(tmp_path):
    """As pandas writes whole numbers of which some are missing; what is a text stays as it is."""
    path = tmp_path / "floats.parquet"
    gap = float("nan")
    numbers = {
        "doc_id": [1.0, 2.5, 1e20],
        "cik": [gap, 104169.0, gap],
        "year": [2014.0, gap, 2015.0],
        "title": [gap] * 3,
    }
    parquet.write_table(pyarrow.table(numbers | {"text": ["1.0", "Two.", "Three."]}), path)
    table = Table(str(path), "parquet", False, None)
    with in_memory() as connection:
        assert wrong_rows(connection, table) == {}
        found = [(told, year) for _, told, year in read_table(connection, table)]
    assert [(told.doc_id, told.items[0].text, year) for told, year in found] == [
        *(("1", "1.0\n", "2014"), ("2.5", "Two.\n", None), ("1e+20", "Three.\n", "2015")),
    ]
    assert found[1][0].cik == 104169


def test_questions_are_no_documents(tmp_path):
    write(tmp_path, json.dumps({"_id": "d", "text": "A text."}), "corpus.jsonl")
    queries = write(tmp_path, json.dumps({"_id": "q", "text": "What?"}), "queries.jsonl")
    finder = {"_id": "f", "text": "Acme goodwill", "references": "none", "answer": "None."}
    asked = write(tmp_path, json.dumps(finder), "finder.jsonl")
    with in_memory() as connection:
        seeds = connection.sql(f"from read_csv('{ROOT / 'seeds' / 'corpus_layouts.csv'}')")
        layouts = [layout for layout in read_layouts(seeds) if layout.level != "facts"]
        found = [sources.inspect(connection, path, layouts, {}) for path in (queries, asked)]
        corpus = sources.inspect(connection, str(tmp_path / "corpus.jsonl"), layouts, {})
    assert [file.reason.split(".")[0] for file in found] == ["holds questions", "holds questions"]
    assert (corpus.layout, corpus.row_count) == ("document_tables", 1)


def test_tables_of_documents_are_built_as_documents_are(built):
    filings = "select filing_id, company_name, report_year from corpus.dim_filings where file_path like 'fiqa/%'"
    assert built.rows(f"{filings} order by 1") == [
        ("ZINC_2019_10K", "ZINC", 2019),
        ("d1", "fiqa", 0),
        ("d2", "Acme", 2015),
    ]
    rejected = "select source_row, reason from corpus.rejected_rows where file_path like 'fiqa/%' order by 1"
    assert built.rows(rejected) == [
        *((2, "unreadable_row"), (5, "duplicate_filing"), (7, "unreadable_row"), (8, "empty_text")),
    ]


def test_a_row_of_a_table_that_cannot_be_read_is_no_document(built):
    """DuckDB would make a text of an object, an id of a list, and take one of two texts."""
    rejected = "select source_row, reason from corpus.rejected_rows where file_path like 'table/%' order by 1"
    assert built.rows(rejected) == [(row, "unreadable_row") for row in (2, 3, 4, 5, 6)]
    of_table = "select filing_id from corpus.dim_filings where file_path like 'table/%'"
    assert built.rows(
        f"select filing_id, sentence_text from corpus.fct_sentences where filing_id in ({of_table}) order by 1"
    ) == [("a", "A text."), ("g", "The last.")]
