"""Numbers of inline XBRL: their values, where they stand, and why some have none."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest

from finrag.corpus.html.document import read_document
from finrag.corpus.html.facts import (
    UnreadableFactError,
    in_words,
    read_facts,
    scale_of,
    signed,
    transformed,
    words_of,
)
from finrag.corpus.html.filing import read_filing
from finrag.corpus.html.parts import row_of
from tagged_numbers import between, visible_numbers

NAMESPACES = (
    'xmlns="http://www.w3.org/1999/xhtml" xmlns:ix="http://www.xbrl.org/2013/inlineXBRL" '
    'xmlns:xbrli="http://www.xbrl.org/2003/instance" xmlns:xbrldi="http://xbrl.org/2006/xbrldi" '
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
)
HEADER = """<div style="display:none"><ix:header><ix:hidden>
<ix:nonFraction name="us-gaap:HiddenNumber" contextRef="y" unitRef="usd" decimals="0">99</ix:nonFraction></ix:hidden>
<ix:references/>
<ix:resources>
<xbrli:context id="y"><xbrli:entity><xbrli:identifier scheme="s">42</xbrli:identifier></xbrli:entity><xbrli:period>
<xbrli:startDate>2024-01-01</xbrli:startDate><xbrli:endDate>2024-12-31</xbrli:endDate></xbrli:period></xbrli:context>
<xbrli:context id="i"><xbrli:entity><xbrli:identifier scheme="s">42</xbrli:identifier><xbrli:segment>
<xbrldi:typedMember dimension="a:NameAxis"><a:name xmlns:a="urn:a"> Plant  1 </a:name></xbrldi:typedMember>
<xbrldi:explicitMember dimension="a:AreaAxis">a:EuropeMember</xbrldi:explicitMember>
</xbrli:segment></xbrli:entity><xbrli:period><xbrli:instant>2024-12-31T00:00:00</xbrli:instant></xbrli:period>
</xbrli:context>
<xbrli:unit id="usd"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit>
<xbrli:unit id="shares"><xbrli:measure>xbrli:shares</xbrli:measure></xbrli:unit>
<xbrli:unit id="pure"><xbrli:measure>xbrli:pure</xbrli:measure></xbrli:unit>
<xbrli:unit id="stores"><xbrli:measure>acme:Store</xbrli:measure></xbrli:unit>
<xbrli:unit id="each"><xbrli:divide>
<xbrli:unitNumerator><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unitNumerator>
<xbrli:unitDenominator><xbrli:measure>xbrli:shares</xbrli:measure></xbrli:unitDenominator></xbrli:divide></xbrli:unit>
<ix:relationship fromRefs="f1 f2" toRefs="n1 n2"/><ix:relationship fromRefs="f2" toRefs="lost"/>
</ix:resources></ix:header></div>"""
TAG = '<ix:nonFraction name="us-gaap:Revenues" contextRef="y" unitRef="usd" decimals="-6" {}>{}</ix:nonFraction>'


def tagged(text: str, attributes: str = "") -> str:
    """A tag whose stated attributes are those of a revenue where none of the same name is given."""
    given = set(re.findall(r"([\w:]+)=", attributes))
    return re.sub(r' (\w+)="[^"]*"', lambda found: "" if found[1] in given else found[0], TAG).format(attributes, text)


def document_of(folder, body: str, is_xml: bool = True):
    """Read as XML, or as HTML where a tag is left unclosed."""
    path = folder / ("a.xhtml" if is_xml else "a.htm")
    path.write_text(
        f"<html {NAMESPACES}><body>{HEADER}{body}{'' if is_xml else '<br>'}</body></html>", encoding="utf-8"
    )
    document = read_document(str(path))
    assert document.root.tag.startswith("{") == is_xml
    return document


@pytest.fixture(params=[True, False], ids=["xml", "html"])
def facts(request, tmp_path):
    """Reads the facts of a body, once by each parser."""
    return lambda body: read_facts(document_of(tmp_path, body, request.param))


@pytest.mark.parametrize(
    ("text", "attributes", "value"),
    [
        ("1,234.5", 'format="ixt:num-dot-decimal"', 1234.5),
        ("1,234.5", 'format="ixt:numdotdecimal" scale="6"', 1_234_500_000.0),
        ("1 234", 'format="ixt:numspacedot"', 1234.0),
        ("1’234.50", 'format="ixt4:num-dot-decimal-apos"', 1234.5),
        ("1.234,5", 'format="ixt:numcommadecimal"', 1234.5),
        ("1.234.567", 'format="ixt:num-comma-decimal"', 1_234_567.0),
        ("5", 'format="ixt:num-dot-decimal" scale="-2" unitRef="pure"', 0.05),
        ("5 dollars and 7 cents", 'format="ixt:num-unit-decimal"', 5.07),
        ("—", 'format="ixt:fixed-zero" scale="6"', 0.0),
        ("-", 'format="ixt:zerodash" sign="-"', 0.0),
        ("-", 'format="ixt:numdash"', 0.0),
        ("twenty-one", 'format="ixt-sec:numwordsen"', 21.0),
        ("No", 'format="ixt-sec:numwordsen"', 0.0),
        ("12.5", "", 12.5),
        ("12", 'sign="-" scale="3" decimals="INF"', -12_000.0),
    ],
)
def test_values_are_in_base_units(facts, text, attributes, value):
    (fact,) = facts(f"<p>{tagged(text, attributes)}</p>")
    assert (fact.value, fact.fault, fact.value_text) == (value, None, text)


@pytest.mark.parametrize(
    ("text", "attributes", "fault"),
    [
        ("12", 'format="ixt:num-roman"', "has a transformation that is not known: ixt:num-roman"),
        ("1.2.3", 'format="ixt:num-dot-decimal"', "is no number by ixt:num-dot-decimal: '1.2.3'"),
        ("1,234", "", "is no number without a transformation: '1,234'"),
        ("(12)", "", "is no number without a transformation: '(12)'"),
        (".", "", "is no number: '.'"),
        ("", "", "is no number without a transformation: ''"),
        ("many", 'format="ixt-sec:numwordsen"', "is no number in words: 'many'"),
        ("5 dollars", 'format="ixt:num-unit-decimal"', "is no amount of two units: '5 dollars'"),
        ("12", 'scale="six"', "has a scale that is no whole number: six"),
        ("12", 'scale="31"', "has a scale of 10^31: expected at most 30 places"),
        ("12", 'sign="+"', "has the sign '+': expected '-' or none"),
        ("12", 'contextRef="lost"', "names a context that is missing: lost"),
        ("12", 'unitRef="lost"', "names a unit that is missing: lost"),
        ("12", 'name=""', "names no concept"),
    ],
)
def test_what_has_no_value_says_why(facts, text, attributes, fault):
    rejected, other = facts(f"<p>{tagged(text, attributes)} and {tagged('7')}</p>")
    assert (rejected.value, rejected.fault) == (None, fault)
    # one fault leaves the rest of the filing as it is
    assert (other.value, other.fault, other.fact_no) == (7.0, None, 1)


def test_a_fraction_is_rejected(facts):
    body = (
        '<p><ix:fraction name="a:Ratio" contextRef="y" unitRef="pure"><ix:numerator>1</ix:numerator>/<ix:denominator>'
    )
    (fact,) = facts(f"{body}2</ix:denominator></ix:fraction></p>")
    assert (fact.value, fact.value_text) == (None, "1/2")
    assert fact.fault.startswith("is a fraction")


def test_a_nil_is_a_fact_without_a_value(facts):
    for stated in ("true", "1"):
        (fact,) = facts(f"<p>none {tagged('', f'xsi:nil={chr(34)}{stated}{chr(34)}')}</p>")
        assert (fact.is_nil, fact.value, fact.fault) == (True, None, None)
    (fact,) = facts(f"<p>{tagged('3', f'xsi:nil={chr(34)}false{chr(34)}')}</p>")
    assert (fact.is_nil, fact.value) == (False, 3.0)


def test_brackets_outside_a_tag_are_typography(facts):
    signed_tag = tagged("6", 'sign="-"')
    row = f"<td>Loss</td><td>({tagged('5')}</td><td>)</td><td>({signed_tag})</td>"
    positive, negative = facts(f"<table><tr>{row}</tr></table>")
    assert (positive.value, positive.value_text, negative.value, negative.value_text) == (5.0, "5", -6.0, "6")


def test_a_tag_in_a_tag_is_a_fact_of_its_own(facts):
    inner = tagged("40", 'name="us-gaap:Cash" scale="3" contextRef="i"')
    outer, cash = facts(f"<p>Total <b>{tagged(inner, 'scale=' + chr(34) + '6' + chr(34))}</b></p>")
    assert (outer.concept, outer.value, cash.concept, cash.value) == ("us-gaap:Revenues", 4e7, "us-gaap:Cash", 4e4)
    assert (outer.start, outer.end) == (cash.start, cash.end)


def test_what_is_excluded_is_no_part_of_a_value(facts):
    (fact,) = facts(f"<p>{tagged('1<ix:exclude>99</ix:exclude>2<b>3</b>')}</p>")
    assert (fact.value, fact.value_text) == (123.0, "123")


def test_contexts_and_units(facts):
    units = ["usd", "shares", "each", "pure", "stores"]
    body = "".join(f"<p>{tagged('1', f'unitRef={chr(34)}{unit}{chr(34)}')}</p>" for unit in units)
    *of_year, at_end = facts(f"{body}<p>{tagged('1', 'contextRef=' + chr(34) + 'i' + chr(34))}</p>")
    assert [fact.unit for fact in of_year] == ["USD", "shares", "USD/shares", "pure", "acme:Store"]
    assert {(fact.period_start, fact.period_end, fact.dimensions) for fact in of_year} == {
        ("2024-01-01", "2024-12-31", None)
    }
    assert (at_end.period_start, at_end.period_end) == (None, "2024-12-31")
    assert at_end.dimensions == "a:AreaAxis=a:EuropeMember; a:NameAxis=Plant 1"


def test_footnotes_and_their_continuations(facts):
    body = (
        f"<p>{tagged('1', 'id=' + chr(34) + 'f1' + chr(34))} {tagged('2', 'id=' + chr(34) + 'f2' + chr(34))} "
        f"{tagged('3')}</p><p>"
        '<ix:footnote id="n1" continuedAt="c1">Without <ix:exclude>page 9</ix:exclude> tax</ix:footnote>'
        '<ix:footnote id="n2">(b)</ix:footnote></p>'
        # a continuation that leads back to itself ends there
        '<p><ix:continuation id="c1" continuedAt="c1">and interest.</ix:continuation></p>'
    )
    assert [fact.footnote for fact in facts(body)] == ["Without tax and interest. (b)"] * 2 + [None]


def test_hidden_tags_are_no_facts(facts):
    hidden = f'<p style="display:none">{tagged("8")}</p><div hidden="">{tagged("9")}</div>'
    assert [fact.value for fact in facts(f"{hidden}<p>{tagged('7')}</p>")] == [7.0]
    assert facts(f"{hidden}<p>Nothing tagged is seen.</p>") == []


BODY = (
    f"<p>Sales of ${tagged('1,234', 'format=' + chr(34) + 'ixt:num-dot-decimal' + chr(34))} million in 24 shops.</p>"
    f"<table><tr><td>Loss</td><td>$</td><td>({tagged('5.5')}</td><td>)</td></tr>"
    f"<tr><td>Sales</td><td></td><td>{tagged('12')}</td><td></td></tr></table><p>Then {tagged('8')}.</p>"
)


def test_both_parsers_read_the_same(tmp_path):
    as_xml, as_html = (read_facts(document_of(tmp_path, BODY, is_xml)) for is_xml in (True, False))
    assert [vars(fact) for fact in as_xml] == [vars(fact) for fact in as_html]
    assert [fact.value for fact in as_xml] == [1234.0, 5.5, 12.0, 8.0]


def test_facts_stand_where_their_digits_do(tmp_path):
    document = document_of(tmp_path, BODY)
    found = []
    for fact in read_facts(document):
        line = document.lines[fact.line]
        assert between(line.text, fact.start - line.start, fact.end - line.start) == fact.value_text
        found.append((fact.line, line.cells[fact.cell].text if fact.cell is not None else None))
    assert found == [(0, None), (1, "(5.5"), (2, "12"), (3, None)]


def test_rows_of_facts_say_the_cell_and_the_place_in_the_item(tmp_path):
    path = tmp_path / "a.htm"
    path.write_text(
        f"<html {NAMESPACES}><body>{HEADER}<p>Item 1. Business</p><p>Widgets.</p><p>Item 7. Management's Discussion</p>"
        f"<p>Up.</p><p>Item 8. Financial Statements</p>{BODY}</body></html>",
        encoding="utf-8",
    )
    row = row_of(str(path), "v", read_filing(str(path)))
    item = next(item["item_text"] for item in row["items"] if item["section_label"] == "8")
    facts = row["facts"]
    assert [between(item, fact["item_start"], fact["item_end"]) for fact in facts] == ["1,234", "5.5", "12", "8"]
    cells = [(fact.get("table_no"), fact.get("row_no"), fact.get("column_no")) for fact in facts]
    assert cells == [(None, None, None), (1, 0, 0), (1, 1, 0), (None, None, None)]
    assert {fact["section_label"] for fact in facts} == {"8"}


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("one hundred and five thousand", 105_000),
        ("a hundred", 100),
        ("two million three hundred", 2_000_300),
        ("Zero", 0),
    ],
)
def test_numbers_in_words(text, number):
    assert in_words(text) == number


def test_parts_of_values():
    assert transformed("1,000", "ixt:NUM-DOT-DECIMAL") == Decimal(1000)
    assert scale_of(None) == scale_of("") == 0
    # a negative zero is zero
    assert str(signed(Decimal(0), "-", 3)) == "0.0"
    with pytest.raises(UnreadableFactError, match="no number in words"):
        in_words("")
    assert words_of("us-gaap:AccountsReceivableNetCurrent") == "Accounts receivable net current"
    assert words_of("a:EBITDAMargin2024Total") == "EBITDA margin2024 total"


@pytest.mark.parametrize("is_xml", [True, False])
def test_every_visible_tag_is_a_fact_or_is_rejected(tmp_path, is_xml):
    document = document_of(tmp_path, BODY + f"<p>{tagged('x')} {tagged(tagged('3'))}</p>", is_xml)
    facts = read_facts(document)
    rejected = [fact for fact in facts if fact.fault]
    assert visible_numbers(document.root) == len(facts) == 7
    assert len(rejected) == 1
