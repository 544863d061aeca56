"""10-Ks in HTML: what is text, where items begin, what the cover says, and files that are no 10-K."""

from __future__ import annotations

import gzip
import re
import time
from pathlib import Path

import pytest

from finrag.corpus.html.cover import date_in, period_on, read_cover
from finrag.corpus.html.document import UnreadableError, read_document, without_furniture
from finrag.corpus.html.facts import read_facts
from finrag.corpus.html.filing import read_filing
from finrag.corpus.html.items import find_items, is_by_reference, label_of
from finrag.corpus.names import number_of
from finrag.corpus.splitting import END_OF_ROW, split_sentences
from tagged_numbers import between, only_letters, visible_numbers

COVER = """
<p>FORM 10-K</p><p>For the fiscal year ended</p><p>June 30, 2012</p>
<p>Acme Widgets, Inc.</p><p>(Exact name of registrant as specified in its charter)</p>
"""
BODY = """
<p>Item 1. Business</p><p>We make widgets. They are blue.</p>
<p>Item 7. Management's Discussion and Analysis</p><p>Sales rose 5% to $12 million.</p>
<p>Item 8. Financial Statements</p><p>See below.</p>
"""


def write(folder: Path, body: str, name: str = "acme.htm") -> str:
    path = folder / name
    path.write_text(f"<html><body>{body}</body></html>", encoding="utf-8")
    return str(path)


def texts(folder: Path, body: str) -> list[str]:
    return [line.text for line in read_document(write(folder, body)).lines]


def items(folder: Path, body: str) -> dict[str, str]:
    document = read_document(write(folder, body))
    return {
        item.label: "|".join(document.lines[index].text for index in item.lines)
        for item in find_items(document)
        if item.lines
    }


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>One <b>bo</b>ld.</p>Two<br/>three", ["One bold.", "Two", "three"]),
        ('<p>Seen<span style="display:none">hidden</span> tail</p>', ["Seen tail"]),
        ('<div style="DISPLAY : NONE"><p>hidden</p></div><p>a<!-- note -->b</p>', ["ab"]),
        ("<script>var a;</script><style>p {}</style><p>text</p>", ["text"]),
        # a bullet whose space is drawn, and a raised footnote number
        ('<div><span>•</span><span style="padding-left:9pt">Cost</span></div>', ["• Cost"]),
        ("<p>Sales<sup>1</sup></p>", ["Sales 1"]),
        ('<div>a<div style="display:inline">b</div>c</div>', ["abc"]),
        # not well-formed, so read as HTML: entities, unclosed tags
        ("<p>AT&T&nbsp;Inc.<p>next", ["AT&T Inc.", "next"]),
        (
            "<table><tr><td>Net sales</td><td>$</td><td>391,035</td><td>(</td><td>5</td><td>)%</td></tr></table>",
            ["Net sales $391,035 (5)%"],
        ),
        ("<table><tr><td> </td><td></td></tr><tr><td>a</td></tr></table>b", ["a", "b"]),
        # a table in a table, and a page laid out by one
        ("<table><tr><td>x<table><tr><td>1</td><td>2</td></tr></table>y</td></tr></table>", ["x", "1 2", "y"]),
        (f"<table><tr><td><p>{'a ' * 201}</p><p>End.</p></td></tr></table>", ["a " * 200 + "a", "End."]),
    ],
)
def test_lines_are_what_is_seen(tmp_path, body, expected):
    assert texts(tmp_path, body) == expected


def test_lines_count_letters_and_digits(tmp_path):
    body = "<p>One, 2.</p><table><tr><td>A b</td><td>(3)</td></tr></table><p>— é</p>"
    document = read_document(write(tmp_path, body))
    assert [(line.text, line.start, line.end) for line in document.lines] == [
        ("One, 2.", 0, 4),
        ("A b (3)", 4, 7),
        ("— é", 7, 8),
    ]
    assert [(cell.text, cell.column, cell.start, cell.end) for cell in document.lines[1].cells] == [
        ("A b", 0, 4, 6),
        ("(3)", 1, 6, 7),
    ]


def test_columns_count_spans(tmp_path):
    body = (
        '<table><tr><td rowspan="2">a</td><td colspan="3">b</td><td>c</td></tr>'
        "<tr><td>d</td><td colspan='x'>e</td></tr><tr><th>f</th></tr><tr><td>g</td><td>h</td></tr></table>"
    )
    rows = read_document(write(tmp_path, body)).lines
    assert [[(cell.text, cell.column) for cell in row.cells] for row in rows] == [
        [("a", 0), ("b", 1), ("c", 4)],
        [("d", 1), ("e", 2)],
        [("f", 0)],
        [("g", 0), ("h", 1)],
    ]
    assert rows[2].cells[0].is_header


def test_page_headers_and_numbers_are_dropped(tmp_path):
    page = (
        "<p>Acme {0} Form 10-K</p><p>{1}</p><p>It goes on.</p><p>(in millions)</p>"
        '<div style="text-align:center">{0}</div><hr style="page-break-after:always"/>'
    )
    body = "".join(page.format(number, f"Text of {word}.") for number, word in enumerate(["one", "two", "three"], 11))
    document = read_document(write(tmp_path, body))
    kept = [document.lines[index].text for index in without_furniture(document.lines, set())]
    assert kept == [
        *("Text of one.", "It goes on.", "(in millions)"),
        *("Text of two.", "It goes on.", "(in millions)"),
        *("Text of three.", "It goes on.", "(in millions)"),
    ]
    # what heads every page of an item is its heading at its first place
    first = without_furniture(document.lines, {0})
    assert [document.lines[index].text for index in first][:2] == ["Acme 11 Form 10-K", "Text of one."]


def test_windows_characters_under_a_label_of_latin_1_are_read_as_browsers_do(tmp_path):
    path = tmp_path / "42_10K_2020_x.htm"
    marked = b"<p>We\x92ve \x97 \x93made\x94.</p>"
    path.write_bytes(b'<html><meta charset="iso-8859-1"><body>' + marked + b"<br></body></html>")
    assert [line.text for line in read_document(path.as_posix()).lines] == ["We’ve — “made”."]
    # 0x81 is none of Windows' characters; as XML numbers of characters are not mended by the parser
    path.write_bytes(b'<?xml version="1.0" encoding="ISO-8859-1"?><html><body>&#146;\x81' + marked + b"</body></html>")
    assert [line.text for line in read_document(path.as_posix()).lines] == ["’", "We’ve — “made”."]


def test_soft_hyphens_are_not_seen_and_ligatures_are_letters(tmp_path):
    [line] = read_document(write(tmp_path, "<p>Inter&shy;national pro\ufb01t of the o\ufb03ce</p>")).lines
    assert (line.text, line.start, line.end) == ("International profit of the office", 0, 30)
    [row] = read_document(write(tmp_path, "<table><tr><td>Sha&shy;res</td><td>5\u200b00</td></tr></table>")).lines
    assert [(cell.text, cell.start, cell.end) for cell in row.cells] == [("Shares", 0, 6), ("500", 6, 9)]


@pytest.mark.parametrize("mark", ["{}.", "({})", "[{}]"])
def test_marked_page_numbers_are_dropped_where_many_pages_have_another(tmp_path, mark):
    def kept(*numbers):
        page = '<p>Text of page.</p><p>{}</p><hr style="page-break-after:always"/>'
        document = read_document(write(tmp_path, "".join(page.format(mark.format(number)) for number in numbers)))
        texts = [document.lines[index].text for index in without_furniture(document.lines, set())]
        return [text for text in texts if text != "Text of page."]

    assert kept(11, 12, 13) == []
    # marks of footnotes: two of them are fewer than the three pages that a header needs
    assert kept(1, 2, 1, 2) == [mark.format(number) for number in (1, 2, 1, 2)]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Item 7. Management's Discussion", ("7", "Management's Discussion", ())),
        ("ITEM 1A.RISK FACTORS", ("1A", "RISK FACTORS", ())),
        ("Item10.Directors", ("10", "Directors", ())),
        ("PART II. Item 7A — Quantitative", ("7A", "Quantitative", ())),
        ("Item 1 Business", ("1", "Business", ())),
        ("ITEM 1BUSINESS", ("1", "BUSINESS", ())),
        ("Items 1 and 2. Business and Properties", ("1", "Business and Properties", ("2",))),
        ("Items 10, 11 and 12", ("10", "", ("11", "12"))),
        ("Item 404 of Regulation S-K", None),
        ("Item 99. Nothing", None),
        ("The Item 7", None),
    ],
)
def test_labels(text, label):
    assert label_of(text) == label


def test_items_begin_at_their_headings_and_not_in_the_contents(tmp_path):
    contents = "".join(
        f"<tr><td>Item {label}.</td><td>{title}</td><td>{page}</td></tr>"
        for label, title, page in (("1", "Business", 3), ("7", "Discussion", 20), ("8", "Financial Statements", 41))
    )
    body = f"<table>{contents}</table>{BODY}<p>Item 7 of this report says more.</p><p>Item 7. MD&A (continued)</p>"
    assert items(tmp_path, body) == {
        "1": "Item 1. Business|We make widgets. They are blue.",
        "7": "Item 7. Management's Discussion and Analysis|Sales rose 5% to $12 million.",
        "8": "Item 8. Financial Statements|See below.|Item 7 of this report says more.|Item 7. MD&A (continued)",
    }


@pytest.mark.parametrize(
    ("opening", "is_heading"),
    [
        ("Item 2. Properties. We own", True),
        ("Item 2 - PROPERTIES - We own", True),
        ("Item 2. Properties of ours, which we own", False),
        ("Item 2. We own. Properties", False),
        ("Item 2, which is titled Properties. We own", False),
    ],
)
def test_a_heading_may_open_a_long_paragraph(tmp_path, opening, is_heading):
    long = f"{opening} the plant{', and we lease a shop' * 20} until 2010."
    found = items(tmp_path, BODY.replace("<p>Item 7", f"<p>{long}</p><p>Item 7"))
    assert found["2" if is_heading else "1"].endswith(long) and ("2" in found) == is_heading


def test_contents_lead_to_items_whose_headings_have_no_label(tmp_path):
    body = """
    <p><a href="#b">Item 1. Business</a></p><p><a href="#m">Item 7. Management's Discussion</a></p>
    <p><a href="#f">Item 8. Financial Statements</a></p><p><a href="#gone">Item 9. Changes in</a></p>
    <p id="b">What We Do</p><p>Widgets.</p>
    <a name="m"></a><p>PART II</p><p>Item 7.</p><p>Management's Discussion</p><p>Sales rose.</p>
    <p id="f">Our Statements</p><p>See <a href="#b">What We Do</a>.</p>
    """
    assert items(tmp_path, body) == {
        "1": "What We Do|Widgets.|PART II",
        "7": "Item 7.|Management's Discussion|Sales rose.",
        "8": "Our Statements|See What We Do.",
    }


def test_items_keep_the_order_of_the_form(tmp_path):
    """A heading out of its place is a reference or another document's."""
    body = f"<p>Item 8. Financial Statements</p><p>An index of them.</p>{BODY}<p>Item 2. Properties</p><p>None.</p>"
    assert [*items(tmp_path, body)] == ["1", "7", "8"]


def test_statements_behind_the_signatures_are_item_8(tmp_path):
    signed = "<p>SIGNATURES</p><p>A. Person</p><p>Consolidated Balance Sheets</p><p>Cash 5</p>"
    body = f"{BODY}<p>Item 15. Exhibits</p><p>List.</p>{signed}"
    found = items(tmp_path, body)
    assert found["8"] == "Item 8. Financial Statements|See below.|Consolidated Balance Sheets|Cash 5"
    assert found["15"] == "Item 15. Exhibits|List.|SIGNATURES|A. Person"


AUDITED = "<p>{}</p><p>To the Board</p><p>We have audited the balance sheets.</p><p>Balance Sheets</p><p>Cash 5</p>"
LISTED = "<p>Item 15. Exhibits</p><p>Report of Independent Auditors</p><p>Consolidated Balance Sheets</p>"


@pytest.mark.parametrize(
    ("heading", "before", "behind", "eighth"),
    [
        # up to the signatures or to the list of exhibits, from the report itself and not from a list
        ("INDEPENDENT AUDITORS' REPORT", "", "<p>Exhibit Index</p><p>10.1 Lease</p><p>SIGNATURES</p>", 5),
        ("Report of Independent Accountants", "", "<p>Signatures</p><p>A. Person</p>", 5),
        # behind a page of signatures
        ("INDEPENDENT AUDITORS' REPORT", "<p>SIGNATURE PAGE</p><p>A. Person</p>", "", 5),
        # the auditors' word on a schedule, of statements that are elsewhere
        ("Report of Independent Auditors on Financial Statement Schedule", "", "<p>Signatures</p>", 0),
    ],
)
def test_statements_in_the_last_item_are_item_8(tmp_path, heading, before, behind, eighth):
    found = items(tmp_path, f"{BODY}{LISTED}{before}{AUDITED.format(heading)}{behind}")
    assert found["8"].count("|") == 1 + eighth and found["8"].endswith("Cash 5") == bool(eighth)
    assert found["15"].startswith("Item 15. Exhibits|Report of Independent Auditors|Consolidated Balance Sheets")
    assert all(text in found["15"] for text in re.findall("<p>(.*?)</p>", before + behind))


def test_statements_of_item_8_stay_the_only_ones(tmp_path):
    """What of an audit stands in the last item is a schedule's where Item 8 has more than 100 words."""
    last = f"{LISTED}{AUDITED.format('Report of Independent Auditors')}<p>Signatures</p>"
    words = {count: "word " * (count - len("Item 8. Financial Statements See below.".split())) for count in (100, 101)}
    found = {count: items(tmp_path, f"{BODY}<p>{text}</p>{last}")["8"] for count, text in words.items()}
    assert found[100].endswith("Cash 5") and found[101].endswith("word")


REFERENCE = "The information required is incorporated herein by reference to the proxy statement."


def test_items_that_are_elsewhere_or_missing_say_so(tmp_path):
    body = COVER + BODY.replace("Item 1. Business", "Items 1 and 2. Business and Properties")
    body += f"<p>Item 10. Directors</p><p>{REFERENCE}</p>"
    filing = read_filing(write(tmp_path, body))
    faults = {item.label: (item.fault or "").partition(":")[0] for item in filing.items}
    assert faults["1"] == faults["7"] == faults["8"] == ""
    assert faults["10"] == "incorporated by reference"
    assert faults["2"] == faults["1A"] == faults["9A"] == "missing item"
    assert "with that of Item 1" in next(item.fault for item in filing.items if item.label == "2")
    # of fiscal 2012: no item on cybersecurity, and a summary is never needed
    assert not {"1C", "9C", "16", "6"} & set(faults)


def test_an_item_that_says_more_than_a_reference_is_text():
    assert is_by_reference("10", f"Item 10. Directors {REFERENCE}")
    assert not is_by_reference("10", f"Item 10. Directors {REFERENCE} " + "Our officers are as follows. " * 13)
    assert not is_by_reference("15", f"Item 15. Exhibits {REFERENCE}")
    assert not is_by_reference("3", "Item 3. Legal Proceedings None.")


def test_rows_of_tables_are_sentences_of_their_own(tmp_path):
    body = BODY + "<table><tr><td>Sales</td><td>12</td></tr><tr><td>Costs</td><td>7</td></tr></table><p>Up a bit.</p>"
    text = read_filing(write(tmp_path, COVER + body)).items[2].text
    assert END_OF_ROW in text
    assert split_sentences(text)[-3:] == ["Sales 12", "Costs 7", "Up a bit."]


PREFORMATTED = """
Sales of widgets rose in every region because more of our customers have
ordered by way of dealers. We expect
that to go on.

                          2001       2000
                          ----       ----
Net sales.............    $123       $110
Costs.................      90         80
"""


def test_preformatted_text_is_read_by_its_lines(tmp_path):
    document = read_document(write(tmp_path, f"<p>Sales</p><pre>{PREFORMATTED}</pre><p>Up a bit.</p>"))
    assert [(line.text, bool(line.cells), line.start, line.end) for line in document.lines] == [
        ("Sales", False, 0, 5),
        (" ".join(PREFORMATTED.split("\n\n")[0].split()), False, 5, 104),
        ("2001 2000", True, 104, 112),
        ("Net sales ... $123 $110", True, 112, 126),
        ("Costs ... 90 80", True, 126, 135),
        ("Up a bit.", False, 135, 141),
    ]


def test_a_10_k_may_be_one_preformatted_text(tmp_path):
    prose = "We sell {} in every region, and more of our customers than ever have\nordered them by way of dealers."
    body = "".join(
        f"<PAGE> {page}\nItem {label}. {title}\n\n     {prose.format(title)}\n"
        f"     We lease none.\n{PREFORMATTED if label == '7' else ''}\nThe end of {title}.\n"
        for page, (label, title) in enumerate([("1", "Business"), ("2", "Properties"), ("7", "Management's")], 1)
    )
    cover = "FORM 10-K\n\nFor the fiscal year ended June 30, 2001\n\nACME\n------\n(Exact name of registrant)\n"
    filing = read_filing(write(tmp_path, f"<pre>{cover}{body}</pre>"))
    assert (filing.cover.company_name, filing.cover.period_end) == ("ACME", "2001-06-30")
    sentences = {item.label: split_sentences(item.text) for item in filing.items if item.text}
    sold = " ".join(prose.format("Business").split())
    assert sentences["1"] == ["Item 1. Business", sold, "We lease none.", "The end of Business."]
    assert sentences["7"][-5:-1] == [
        "We expect that to go on.",
        "2001 2000",
        "Net sales ... $123 $110",
        "Costs ... 90 80",
    ]


DEI = """<html xmlns="http://www.w3.org/1999/xhtml" xmlns:ix="http://www.xbrl.org/2013/inlineXBRL"><body>
<div style="display:none"><ix:header><ix:hidden>
<ix:nonNumeric name="dei:EntityCentralIndexKey" contextRef="c">0000000042</ix:nonNumeric></ix:hidden></ix:header></div>
<p>FORM <ix:nonNumeric name="dei:DocumentType" contextRef="c">10-K/A</ix:nonNumeric> for the year ended
<ix:nonNumeric name="dei:DocumentPeriodEndDate" contextRef="c" format="ixt:date-monthname-day-year-en">February&#160;1,
2025</ix:nonNumeric> (<ix:nonNumeric name="dei:DocumentFiscalYearFocus" contextRef="c">2024</ix:nonNumeric>)</p>
<p><ix:nonNumeric name="dei:EntityRegistrantName" contextRef="c">Acme Corp</ix:nonNumeric></p>{}</body></html>"""


HEADER = """<SEC-HEADER>
CONFORMED SUBMISSION TYPE:\t{}
CONFORMED PERIOD OF REPORT:\t20120630
FILER:
\tCOMPANY CONFORMED NAME:\t\t\tACME WIDGETS INC
\tCENTRAL INDEX KEY:\t\t\t0000000042
</SEC-HEADER>
"""
SUBMITTED = "<DOCUMENT>\n<TYPE>{}\n<TEXT>\n<XBRL>\n<?xml version='1.0'?>\n{}\n</XBRL>\n</TEXT>\n</DOCUMENT>\n"
PAGE = "<html xmlns:ix='http://www.xbrl.org/2013/inlineXBRL'><body>{}</body></html>"


@pytest.mark.parametrize("name", ["full-submission.txt", "full-submission.txt.gz", "a.htm"])
def test_of_a_submission_the_first_document_is_the_filing(tmp_path, monkeypatch, name):
    tagged = '<p>Cash was $<ix:nonFraction name="us-gaap:Cash" contextRef="c">5</ix:nonFraction>.</p>'
    text = HEADER.format("10-K") + SUBMITTED.format("10-K", PAGE.format(BODY + tagged))
    path = tmp_path / name
    write_bytes = gzip.compress if name.endswith(".gz") else bytes
    # what stands after the first document is not read, however long
    monkeypatch.setattr("finrag.corpus.html.document.MAXIMUM_BYTES", len(text) + 100)
    content = text + SUBMITTED.format("EX-99", PAGE.format("<p>Item 9. None.</p>") * 9)
    path.write_bytes(write_bytes(content.encode()))
    filing = read_filing(str(path))
    cover = filing.cover
    assert (cover.cik, cover.company_name, cover.form_type, cover.period_end) == (
        *("0000000042", "ACME WIDGETS INC", "10-K", "2012-06-30"),
    )
    assert {item.label: item.text for item in filing.items if item.text} == {
        "1": "Item 1. Business\nWe make widgets. They are blue.\n",
        "7": "Item 7. Management's Discussion and Analysis\nSales rose 5% to $12 million.\n",
        "8": "Item 8. Financial Statements\nSee below.\nCash was $5.\n",
    }
    assert [fact.concept for fact in read_facts(filing.document)] == ["us-gaap:Cash"]


def test_the_cover_is_read_from_tags(tmp_path):
    path = tmp_path / "7_10K_1999_x.htm"
    path.write_text(DEI.format(BODY.replace("'", "’")), encoding="utf-8")
    filing = read_filing(str(path))
    cover = filing.cover
    assert (cover.cik, cover.company_name, cover.form_type) == ("0000000042", "Acme Corp", "10-K/A")
    assert (cover.period_end, cover.report_year, cover.report_year_source) == ("2025-02-01", "2025", "period_of_report")
    assert cover.fiscal_year_focus == "2024"
    # an amendment lacks nothing, and the number in the hidden header is no text
    assert [item.label for item in filing.items] == ["1", "7", "8"]
    assert not any("0000000042" in line.text for line in filing.document.lines)


@pytest.mark.parametrize(
    ("name", "body", "expected"),
    [
        ("42_10K_2011_0000000042-12-000001.htm", COVER, ("42", "Acme Widgets, Inc.", "2012", "period_of_report")),
        ("42_10K_2011_0000000042-12-000001.htm", "", ("42", None, "2011", "file_name")),
        ("acme-20120630.htm", "", (None, None, "2012", "file_name")),
        ("CIK0000000042.html", "<p>Acme (Exact name of registrant)</p>", ("42", "Acme", None, None)),
        ("a.htm", "<p>year ended June 31, 2012</p>", (None, None, None, None)),
        # a year of 52 weeks that ends in January is the one before
        ("a.htm", "<p>year ended January 1, 2012</p>", (None, None, "2011", "period_of_report")),
        ("acme-20120101.htm", "", (None, None, "2011", "file_name")),
    ],
)
def test_the_cover_is_read_from_its_page_or_the_name(tmp_path, name, body, expected):
    path = write(tmp_path, body + BODY, name)
    cover = read_cover(read_document(path), path)
    assert (cover.cik, cover.company_name, cover.report_year, cover.report_year_source) == expected


@pytest.mark.parametrize(
    ("name", "cover", "expected"),
    [
        ("a.htm", COVER, (number_of("acme widgets inc"), "Acme Widgets, Inc.", "2012")),
        # a file's name is of the company, too, and the same company in other formats
        ("ACME_2012_10K.htm", COVER, (number_of("Acme"), "Acme Widgets, Inc.", "2012")),
        ("ACME_2012_10K.htm", "", (number_of("Acme"), "ACME", "2012")),
        ("42_2013.htm", "", (42, None, "2013")),
        ("2012_2013.htm", COVER, (number_of("Acme Widgets, Inc."), "Acme Widgets, Inc.", "2012")),
        ("CIK0000000042.html", COVER, (42, "Acme Widgets, Inc.", "2012")),
    ],
)
def test_a_company_without_a_number_is_known_by_its_name(tmp_path, name, cover, expected):
    cover = read_filing(write(tmp_path, cover + BODY, name)).cover
    assert (int(cover.cik), cover.company_name, cover.report_year) == expected


def test_a_filing_that_nothing_names_has_no_company(tmp_path):
    cover = read_filing(write(tmp_path, BODY, "a.htm")).cover
    assert (cover.cik, cover.company_name, cover.report_year) == (None, None, None)


@pytest.mark.parametrize(
    ("cover", "name", "form_type"),
    [
        ("FORM 10-K", "42_10KA_2023_0000000042-24-000003.htm", "10-K/A"),
        ("FORM 10-K", "42_10KT_2023_0000000042-24-000003.htm", "10-KT"),
        ("FORM 10-K405", "42_10K405A_1999_0000000042-00-000003.htm", "10-K405/A"),
        ("FORM 10-K405", "42_10KA_1999_0000000042-00-000003.htm", "10-K405/A"),
        ("", "42_10KA_2023_0000000042-24-000003.htm", "10-K/A"),
        ("", "42_10-KSB_2003_0000000042-24-000003.htm", "10-KSB"),
        # the cover says more, or all
        ("FORM 10K/A", "42_10K_2023_0000000042-24-000003.htm", "10-K/A"),
        ("FORM 10-KT", "42_10K_2023_0000000042-24-000003.htm", "10-KT"),
        ("Form 10K", "42_10K_2023_0000000042-24-000003.htm", "10-K"),
        ("FORM 10-K", "acme-20231231.htm", "10-K"),
        ("", "acme-20231231.htm", "10-K"),
        ('<ix:nonNumeric name="dei:DocumentType">10-K</ix:nonNumeric>', "42_10KA_2023_0000000042-24-3.htm", "10-K/A"),
        ('<ix:nonNumeric name="dei:DocumentType">10-Q</ix:nonNumeric>', "42_10KA_2023_0000000042-24-3.htm", "10-Q"),
    ],
)
def test_the_form_is_what_cover_and_name_say_together(tmp_path, cover, name, form_type):
    path = write(tmp_path, f"<p>{cover}</p>{BODY}", name)
    assert read_cover(read_document(path), path).form_type == form_type


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Dec. 31, 2003", "2003-12-31"),
        ("Sept 30, 2003", "2003-09-30"),
        ("September 30th, 2003", "2003-09-30"),
        ("SATURDAY, MAY 3, 2003", "2003-05-03"),
        ("31st day of Dec. 2003", "2003-12-31"),
        ("12/31/03", "2003-12-31"),
        ("12/31/1993", "1993-12-31"),
        ("1/2/69", "2069-01-02"),
        ("1/2/70", "1970-01-02"),
        ("12/31/031", None),
        ("2/30/03", None),
    ],
)
def test_dates(text, day):
    found = date_in(text)
    assert (found and found.isoformat()) == day


TRANSITION = "For the transition period from July 1, 2009 to December 31, 2009"


@pytest.mark.parametrize(
    ("lines", "form_type", "day"),
    [
        ([TRANSITION], "10-KT", "2009-12-31"),
        # the year before is told of, too; in a report of a year the transition before it may be
        (["fiscal year ended June 30, 2009", TRANSITION], "10-KT", "2009-12-31"),
        (["fiscal year ended June 30, 2010", TRANSITION], "10-K", "2010-06-30"),
        (["For the transition period from ____ to ____", "Commission file 1", "March 5, 2010"], "10-K", None),
    ],
)
def test_the_period_of_a_transition_report(lines, form_type, day):
    found = period_on(lines, form_type)
    assert (found and found.isoformat()) == day


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"<html><body><p>A blog about widgets.</p></body></html>", "it has no heading of an item"),
        (b"<html><body><p>Item 15. Exhibits</p></body></html>", "it has the headings of 15 alone"),
        (f"<html><body>{BODY}".encode(), "does not end"),
        (b"<html><body>\0\0</body></html>", "it holds zero bytes"),
        (b"", "does not end"),
        (b"</html>", "is no HTML: it has no elements"),
        (f"<html>{BODY}{'<p><font>' * 3000}</html>".encode(), "Excessive depth"),
        (b'<!DOCTYPE a [<!ENTITY b "Item 1. Business">]><html>&b;</html>', "defines entities of its own"),
    ],
)
def test_other_files_are_refused(tmp_path, content, reason):
    path = tmp_path / "a.htm"
    path.write_bytes(content)
    with pytest.raises(UnreadableError, match=reason):
        read_filing(str(path))


def test_files_that_are_too_large_or_damaged_gzips_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("finrag.corpus.html.document.MAXIMUM_BYTES", 1_000_000)
    path = tmp_path / "a.htm.gz"
    path.write_bytes(gzip.compress(b"x" * 1_000_001))
    with pytest.raises(UnreadableError, match="more than 1 MB"):
        read_filing(str(path))
    path.write_bytes(gzip.compress(f"<html>{BODY}</html>".encode())[:-9])
    with pytest.raises(UnreadableError, match="damaged gzip"):
        read_filing(str(path))
    path.write_bytes(gzip.compress(f"<html>{BODY}</html>".encode()))
    assert len(read_filing(str(path)).items) == 3


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "iso-8859-1"])
def test_encodings(tmp_path, encoding):
    path = tmp_path / "a.htm"
    stated = '<meta charset="iso-8859-1">' if encoding == "iso-8859-1" else ""
    path.write_bytes(f"<html>{stated}<body>{BODY}<p>Société Générale</p></body></html>".encode(encoding))
    assert "Société Générale" in read_filing(str(path)).items[-1].text


@pytest.fixture(scope="module")
def real_filings(real_data) -> dict:
    """14 filings by company, read once for all tests of this file."""
    found, megabytes, started = {}, 0.0, time.process_time()
    for path in sorted((real_data / "edgar/10k").glob("*.html")):
        found[path.name[: path.name.index("-10-k")]] = read_filing(str(path))
        megabytes += path.stat().st_size / 1e6
    assert megabytes / (time.process_time() - started) >= 2
    return found


def test_real_filings(real_filings):
    """The five items that are asked about are found in 14 filings, none of them in the contents."""
    assert len(real_filings) == 14
    for company, filing in real_filings.items():
        cover = filing.cover
        assert None not in (cover.cik, cover.company_name, cover.period_end), company
        texts = {item.label: item for item in filing.items}
        assert not any((item.fault or "").startswith("missing") for item in filing.items), company
        words = {label: len(item.text.split()) for label, item in texts.items()}
        assert words["1"] > 1_400 and words["1A"] > 5_000, company
        elsewhere = {label for label in ("1", "1A", "7", "7A", "8") if texts[label].fault}
        assert elsewhere == {"ibm": {"7", "7A"}, "jnj": {"7A"}}.get(company, set())
        # IBM's statements are in an exhibit, to which its Item 8 leads
        assert company == "ibm" or (words["7"] > 2_000 and words["8"] > 8_000)
        assert not any(line.strip() == "Table of Contents" for line in texts["7"].text.split("\n")), company


def test_real_facts_balance(real_filings):
    """Every tag that is seen is a fact with its value, and its letters and digits are found where it stands."""
    for company, filing in real_filings.items():
        document, facts = filing.document, read_facts(filing.document)
        assert visible_numbers(document.root) == len(facts) >= 60, company
        assert [fact.fault for fact in facts if fact.fault] == [], company
        for fact in facts:
            assert fact.is_nil or fact.value is not None, (company, fact)
            # an empty cell that is tagged as nil is no part of any line
            if fact.is_nil and not fact.value_text:
                assert fact.line is None, (company, fact)
                continue
            line = document.lines[fact.line]
            shown = between(line.text, fact.start - line.start, fact.end - line.start)
            assert only_letters(shown) == only_letters(fact.value_text), (company, fact)
