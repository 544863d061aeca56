"""Financial statements as HTML tables: captions, years over columns, groups of rows, every figure tagged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from finrag.demo.filing import Filing
from finrag.demo.layouts.inline_xbrl import CONCEPT_OF, Fact, Tagger
from finrag.demo.money import decimal

# Row label, field of Statement, whether money that goes out stands in parentheses. A label alone heads a group.
Row = tuple[str, str | None, bool]
OPERATIONS: tuple[Row, ...] = (
    ("{revenue}", "revenue", False),
    ("{cost}", "cost", False),
    ("Gross profit", "gross_profit", False),
    ("{expenses}", "expenses", False),
    ("Operating income (loss)", "operating_income", False),
    ("Interest expense", "interest_expense", True),
    ("Interest income", "interest_income", False),
    ("Income (loss) before income taxes", "pretax", False),
    ("Provision for (benefit from) income taxes", "tax", False),
    ("Net income (loss)", "net_income", False),
    ("Diluted earnings (loss) per share", "eps", False),
    ("Weighted average diluted shares", "shares", False),
)
CASH_FLOWS: tuple[Row, ...] = (
    ("Operating activities:", None, False),
    ("Net income (loss)", "net_income", False),
    ("Depreciation, depletion and amortization", "depreciation", False),
    ("Stock-based compensation", "stock_compensation", False),
    ("Net cash provided by operating activities", "cfo", False),
    ("Investing activities:", None, False),
    ("Capital expenditures", "capex", True),
    ("Financing activities:", None, False),
    ("Proceeds from long-term debt", "issued", False),
    ("Repayments of long-term debt", "repaid", True),
    ("Dividends paid", "dividends", True),
    ("Repurchases of common stock", "repurchases", True),
)
POSITION: tuple[Row, ...] = (
    ("Cash and cash equivalents", "cash", False),
    ("Long-term debt", "debt", False),
)
SCALE = 6


def tables(filing: Filing, tagger: Tagger) -> Iterator[str]:
    """Operations, cash flows and revenue by segment of three years, and the position of two; in millions."""
    years = [year for year in range(filing.year, filing.year - 3, -1) if year in filing.slots.statements]
    facts = {(fact.concept.field, fact.year, fact.segment): fact for fact in tagger.facts}
    ended = "Year ended December 31,"
    yield from table("Consolidated Statements of Operations", ended, years, OPERATIONS, facts, tagger)
    yield from table("Selected Data of Consolidated Balance Sheets", "December 31,", years[:2], POSITION, facts, tagger)
    yield from table("Consolidated Statements of Cash Flows", ended, years, CASH_FLOWS, facts, tagger)
    parts = [(segment.name, index) for index, segment in enumerate(filing.profile.segments)]
    rows = [row(name, [facts["revenue", year, index] for year in years], tagger) for name, index in parts]
    rows.append(row("Total revenues", [facts["revenue", year, None] for year in years], tagger))
    yield from captioned("Revenues by Segment", ended, years, rows)


def table(
    title: str, over: str, years: Sequence[int], rows: Sequence[Row], facts: dict[tuple, Fact], tagger: Tagger
) -> Iterator[str]:
    profile = tagger.profile
    labels = {"revenue": profile.revenue, "cost": profile.cost, "expenses": profile.expenses}
    written = [
        row(label.format_map(labels), [facts[field, year, None] for year in years] if field else [], tagger, outgoing)
        for label, field, outgoing in rows
    ]
    yield from captioned(title, over, years, written)


def captioned(title: str, over: str, years: Sequence[int], rows: Sequence[str]) -> Iterator[str]:
    heads = "".join(f'<td colspan="2">{year}</td>' for year in years)
    yield f"<p><b>{title}</b></p>\n<p>(in millions, except per share data)</p>"
    yield f'<table><tr><td></td><td colspan="{2 * len(years)}">{over}</td></tr>\n<tr><td></td>{heads}</tr>'
    yield "\n".join([*rows, "</table>"])


def row(label: str, facts: Sequence[Fact], tagger: Tagger, outgoing: bool = False) -> str:
    return f"<tr><td>{label}</td>{''.join(cells(fact, tagger, outgoing) for fact in facts)}</tr>"


def cells(fact: Fact, tagger: Tagger, outgoing: bool) -> str:
    """The sign of the currency, and the figure: a dash for none, in parentheses where money goes out or is lost."""
    unit = CONCEPT_OF[fact.concept.field].unit
    places, scale = (2, 0) if unit == "usdPerShare" else (1, SCALE)
    digits = decimal(abs(fact.units), places) if fact.units else "—"
    figure = tagger.figure(fact, digits, scale)
    shown = f"({figure})" if fact.units and outgoing != (fact.units < 0) else figure
    return f"<td>{'' if unit == 'shares' else '$'}</td><td>{shown}</td>"
