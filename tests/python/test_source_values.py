"""How values of sources are read: company numbers, years, items and ids."""

from __future__ import annotations

from datetime import date

import duckdb
import pytest
from jinja2 import Environment

from finrag.corpus.fiscal_years import fiscal_year_of
from warehouses import ROOT

MACROS = Environment().from_string((ROOT / "macros" / "source_values.sql").read_text(encoding="utf-8")).module


def evaluate(expression: str, value: object) -> object:
    return duckdb.execute(f"select {expression} from (select ?::varchar as value)", [value]).fetchone()[0]


@pytest.mark.parametrize(
    ("value", "expected"),
    [("0000104169", 104169), ("104169", 104169), ("104169.0", 104169), (" 7 ", 7), ("n/a", None), ("", None),
     (None, None), ("0", None), ("-5", None), ("12345678901", None)],
)  # fmt: skip
def test_company_number(value, expected):
    assert evaluate(MACROS.parse_cik("value"), value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [("2018", 2018), ("2018.0", 2018), ("FY2018", 2018), ("fy 1999", 1999), ("1980", 1980), ("2100", 2100),
     ("1979", None), ("2101", None), ("18", None), ("soon", None), ("", None), (None, None), ("2018-12-31", None)],
)  # fmt: skip
def test_report_year(value, expected):
    assert evaluate(MACROS.parse_report_year("value"), value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [("ITEM_7A", "7A"), ("item_7a", "7A"), ("Item 1.", "1"), ("section_15", "15"), ("9C", "9C"), ("ITEM 10", "10"),
     ("Risk Factors", ""), ("item_7D", ""), ("item_123", ""), ("", "")],
)  # fmt: skip
def test_item_label(value, expected):
    assert evaluate(MACROS.item_label("value"), value) == expected


@pytest.mark.parametrize(
    ("day", "year"),
    [("2012-01-01", 2011), ("2012-01-07", 2011), ("2012-01-08", 2012), ("2012-12-30", 2012), ("2010-01-03", 2009),
     ("2013-01-31", 2013)],
)  # fmt: skip
def test_fiscal_year(day, year):
    """Of two years of 52 weeks that end in one calendar year each has its own; SQL and Python say the same."""
    assert evaluate(MACROS.fiscal_year_of("value::date"), day) == fiscal_year_of(date.fromisoformat(day)) == year


def test_filing_id():
    assert evaluate(MACROS.filing_id("42", "'10-K'", "2018"), None) == "0000000042_10-K_2018"
    assert evaluate(MACROS.filing_id("42", "'10-K'", "null"), None) is None
