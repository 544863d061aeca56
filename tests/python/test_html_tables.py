"""Tables of 10-Ks in HTML: what each figure is a figure of, in which unit, and which tables are none."""

from __future__ import annotations

from datetime import date

import pytest

from finrag.corpus.html.document import read_document
from finrag.corpus.html.entries import unit_written, value_of
from finrag.corpus.html.periods import is_opening, is_run, opening_of, period_in, period_of, years_in
from finrag.corpus.html.tables import Table, read_tables
from finrag.text.captions import (
    Caption,
    caption_in,
    currency_named,
    is_caption,
    names_count,
    names_rate,
    read_caption,
    unit_named,
)


def tables(folder, *rows: str, above: str = "<p>Net sales by region</p><p>(in millions)</p>") -> list[Table]:
    """Of a page with one table; a row's cells are parted by |, a cell over two columns begins with two spaces."""

    def cell(text: str) -> str:
        return f"<td{' colspan=2' if text.startswith('  ') else ''}>{text.strip()}</td>"

    body = "".join(f"<tr>{''.join(map(cell, row.split('|')))}</tr>" for row in rows)
    path = folder / "a.htm"
    path.write_text(f"<html><body>{above}<table>{body}</table></body></html>", encoding="utf-8")
    lines = read_document(str(path)).lines
    return read_tables(lines, range(len(lines)))


def read(folder, *rows: str, **given: str) -> list[tuple]:
    """(row label, header, value, unit) of every figure of the one table."""
    [table] = tables(folder, *rows, **given)
    return [(figure.row_label, figure.column_header, figure.value, figure.unit) for figure in table.figures]


def test_headers_labels_and_written_rows(tmp_path):
    [table] = tables(
        tmp_path,
        "|  Years ended December 31,",
        "|2024|2023",
        "Americas:||",
        "Net sales|$12.5|$(3)",
        "Total Americas|15|—",
        "Europe|7|8",
    )
    assert (table.title, table.caption, table.scale, table.scale_source) == (
        *("Net sales by region", "(in millions)", 1e6, "caption"),
    )
    first, second, *others = table.figures
    assert (first.row_label, first.column_header) == ("Americas > Net sales", "Years ended December 31, 2024")
    assert (first.value, first.unit, first.period_end, first.period_year) == (12.5e6, "USD", "2024-12-31", 2024)
    assert (second.value, second.value_text, second.period_year) == (-3e6, "$(3)", 2023)
    # the total ends its group, and a dash is zero
    assert [figure.row_label for figure in others] == [*["Americas > Total Americas"] * 2, "Europe", "Europe"]
    assert [figure.value for figure in others] == [15e6, 0.0, 7e6, 8e6]
    assert table.rows[0].text == (
        "Net sales by region, in millions: Americas > Net sales, "
        "Years ended December 31, 2024: $12.5; Years ended December 31, 2023: $(3)"
    )


def test_a_figure_may_be_cut_into_cells(tmp_path):
    rows = ("|  2024|  2023", "Net loss|$|(5|)|$|6|", "Margin|12|%|(3|)%|||")
    assert [row[2:] for row in read(tmp_path, *rows)] == [(-5e6, "USD"), (6e6, "USD"), (12.0, "%"), (-3.0, "%")]


def test_a_footnotes_mark_is_no_figure_and_no_part_of_one(tmp_path):
    """In the cell of its figure or in its own; columns are counted without it. A note under the rows is a text."""
    raised = '<span style="position:relative;top:-3pt">(3)</span>'
    rows = (
        *("|2024|2023", "Sales|$5|$4", "Costs|3<sup>(1)</sup>|2 (1)(2)", "Tax|1<sup>1</sup>|2(a)"),
        *(f"Fees|(7)|{raised}|(8)|{raised}", "<sup>(3)</sup>|Paid on the 1<sup>st</sup> of May.", "(4)|Not paid."),
    )
    [table] = tables(tmp_path, *rows)
    found = [(figure.row_label, figure.column, figure.value_text, figure.value) for figure in table.figures]
    assert found == [
        *(("Sales", 0, "$5", 5e6), ("Sales", 1, "$4", 4e6), ("Costs", 0, "3", 3e6), ("Costs", 1, "2 (1)(2)", 2e6)),
        *(("Tax", 0, "1", 1e6), ("Tax", 1, "2(a)", 2e6), ("Fees", 0, "(7)", -7e6), ("Fees", 1, "(8)", -8e6)),
    ]
    assert {figure.column_header for figure in table.figures[:6]} == {"2024", "2023"}


def test_a_year_before_amounts_is_a_label(tmp_path):
    """And one before years is a header, also where the rows of headers have a label of their own."""
    rows = ("2025|$10|$3", "Fiscal 2026|7|—", "Thereafter|1|2")
    assert [row[0] for row in read(tmp_path, *rows)] == [*["2025"] * 2, *["Fiscal 2026"] * 2, *["Thereafter"] * 2]
    rows = ("|2025|2024", "Fees|$5|$4", "Sales by market|2024|2023", "North|$3|$2", "Expires in|2024|2023")
    assert [(row[:3]) for row in read(tmp_path, *rows, "Stores|2021|2020")] == [
        *(("Fees", "2025", 5e6), ("Fees", "2024", 4e6), ("North", "2024", 3e6), ("North", "2023", 2e6)),
        *(("Expires in", "2024", None), ("Expires in", "2023", None)),
        *(("Stores", "2024", 2021e6), ("Stores", "2023", 2020e6)),
    ]


def test_a_year_that_something_is_due_in_is_no_amount(tmp_path):
    """Nor are the years of a row that has no label before them, beside other headers, figures."""
    rows = ("|Total|2025|2026-2027", "Sales lost due to:|2025|2024", "Notes|$9|$4|$5")
    assert [row[1] for row in read(tmp_path, rows[0], rows[2])] == ["Total", "2025", "2026-2027"]
    assert [row[1] for row in read(tmp_path, *rows[1:])][:2] == ["2025", "2024"]
    assert [row[2:] for row in read(tmp_path, "|Maturity|2025", "Notes|2031|$5")] == [(None, None), (5e6, "USD")]


@pytest.mark.parametrize(
    ("texts", "is_of_columns"),
    [
        *((["2025", "2024"], True), (["2022", "2023", "2022", "2023"], True), (["2025"], False)),
        *((["2024", "2024"], False), (["2024", "2019"], False), (["2024 (1)", "FY 2023"], True)),
    ],
)
def test_years_of_columns_follow_each_other(texts, is_of_columns):
    assert is_run(years_in(texts)) == is_of_columns


def test_a_dollar_sign_over_a_column_is_a_header(tmp_path):
    rows = ("|  2024", "|$|% of sales", "Sales|$5|100", "Costs|3|60", "Profit|(2)|40")
    assert [row[1:] for row in read(tmp_path, *rows)] == [
        *(("2024 $", 5e6, "USD"), ("2024 % of sales", 100.0, "%"), ("2024 $", 3e6, "USD")),
        *(("2024 % of sales", 60.0, "%"), ("2024 $", -2e6, "USD"), ("2024 % of sales", 40.0, "%")),
    ]


def test_points_are_percent_and_times_are_no_money(tmp_path):
    rows = ("|2024|Change", "Gross margin|$5|220|bps", "Costs|3|(15) bps", "Share|4|1.5 pts.", "Cover|0.5x|2%")
    assert [row[2:] for row in read(tmp_path, *rows)] == [
        *((5e6, "USD"), (2.2, "%"), (3e6, "USD"), (-0.15, "%"), (4e6, "USD"), (1.5, "%"), (None, None), (2.0, "%")),
    ]


def test_counts_under_a_label_of_percent_are_counts(tmp_path):
    rows = ("|2024", "Percentage of sales|", "Costs|20%", "Fees|3", "Store counts|1,771", "Retail square feet|70")
    assert [row[2:] for row in read(tmp_path, *rows)] == [(20.0, "%"), (3.0, "%"), (None, None), (None, None)]


def test_opening_balances_are_of_the_day_before(tmp_path):
    rows = ("|Year ended December 31, 2024", "Cash, beginning of year|$5", "Cash, end of year|$7")
    [table] = tables(tmp_path, *rows)
    assert [(figure.period_end, figure.period_year) for figure in table.figures] == [
        *(("2023-12-31", 2023), ("2024-12-31", 2024)),
    ]


@pytest.mark.parametrize(
    ("end", "others", "expected"),
    [
        (date(2024, 9, 28), [date(2024, 9, 28), date(2023, 9, 30)], (date(2023, 9, 30), 2023)),
        (date(2024, 9, 28), [date(2024, 9, 28)], (None, 2023)),
        (date(2025, 2, 28), [], (date(2024, 2, 29), 2024)),
        (None, [], (None, 2023)),
    ],
)
def test_the_day_before_is_that_of_a_column_or_the_end_of_the_month(end, others, expected):
    assert opening_of("Year ended", end, end.year if end else 2024, others) == expected
    assert opening_of("Three months ended", end, 2024, others) == (None, None)


@pytest.mark.parametrize(
    ("path", "is_first"),
    [
        *(("Cash, beginning of the fiscal year", True), ("Assets > Beginning balances", True), ("Opening", True)),
        *(("Balance – January 1", True), ("Balance at January 1, 2024", False), ("Beginning balance > Sold", False)),
    ],
)
def test_opening_balances(path, is_first):
    assert is_opening(path, "2024") == is_first


def test_opening_balances_in_columns():
    assert is_opening("Year ended June 30, 2024", "Balance at beginning of year")


@pytest.mark.parametrize(
    ("path", "end", "year"),
    [
        ("Year Ended December 31, 2024 > Total", date(2024, 12, 31), 2024),
        ("Year ended June 30, 2024 > Balance at June 30, 2023", date(2023, 6, 30), 2023),
        ("Balances > Notes due 2026", None, None),
    ],
)
def test_the_innermost_label_with_a_period_says_it(path, end, year):
    assert period_in(path) == (end, year)


def test_currencies(tmp_path):
    """The sign of a figure says it, else header or caption, else the others of its column."""
    above = "<p>(Amounts in millions)</p>"
    rows = ("|Principal|Paid in euros|Carried", "Notes|¥40|2|$5", "Bonds|30|€3|4", "Loans|C$1|1|3")
    assert [row[2:] for row in read(tmp_path, *rows[:3], above=above)] == [
        *((40e6, "JPY"), (2e6, "EUR"), (5e6, "USD"), (30e6, "JPY"), (3e6, "EUR"), (4e6, "USD")),
    ]
    assert [row[2:] for row in read(tmp_path, *rows, above=above)][3] == (None, None)
    above = "<p>(in millions of Canadian dollars, except per share amounts)</p>"
    assert [row[2:] for row in read(tmp_path, "|2024", "Sales|$5", "Costs|3", "EPS|$1.50", above=above)] == [
        *((5e6, "CAD"), (3e6, "CAD"), (1.5, "CAD/shares")),
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        *(("(in millions of euros)", "EUR"), ("(RMB in millions)", "CNY"), ("(In thousands of Swiss francs)", "CHF")),
        *(("(in millions)", None), ("(in thousands of U.S. dollars)", None), ("(euros and yen in millions)", None)),
        *(("(in millions of pounds)", None), ("(€ in thousands)", "EUR"), ("(C$ in millions)", "CAD")),
    ],
)
def test_currencies_that_captions_name(text, code):
    assert currency_named(text) == code


def test_a_caption_between_rows_is_of_the_rows_under_it(tmp_path):
    """And names no row; a figure that states its own scale has that."""
    rows = ("|2024", "  (Amounts in millions)", "Sales|$261.4", "|(in thousands)", "Fees|$7", "Loan|$2.5 million")
    assert 261.4 * 1e6 != 261_400_000
    assert read(tmp_path, *rows, above="") == [
        *(("Sales", "2024", 261_400_000.0, "USD"), ("Fees", "2024", 7e3, "USD"), ("Loan", "2024", 2.5e6, "USD")),
    ]


def test_a_label_over_two_header_rows_moves_no_later_row(tmp_path):
    path = tmp_path / "a.htm"
    head = "<tr><td rowspan=2>In millions</td><td>Fiscal</td><td>Fiscal</td></tr><tr><td>2024</td><td>2023</td></tr>"
    rows = "".join(f"<tr><td>{name}</td><td>$5</td><td>$4</td></tr>" for name in ("Sales", "Costs", "Profit", "Tax"))
    path.write_text(f"<html><body><table>{head}{rows}</table></body></html>", encoding="utf-8")
    lines = read_document(str(path)).lines
    [table] = read_tables(lines, range(len(lines)))
    assert [figure.column_header for figure in table.figures] == ["Fiscal 2024", "Fiscal 2023"] * 4
    assert [figure.period_year for figure in table.figures] == [2024, 2023] * 4


def test_units_of_rows(tmp_path):
    rows = (
        "|2024",
        "Net income|$400",
        "Basic earnings per share|$4.00",
        "Weighted-average number of shares|100",
        "Effective tax rate|21.0",
        "Tax at the statutory rate|84",
    )
    above = "<p>Income</p><p>(in millions, except per share amounts)</p>"
    assert [row[2:] for row in read(tmp_path, *rows, above=above)] == [
        *((400e6, "USD"), (4.0, "USD/shares"), (100e6, "shares"), (21.0, "%"), (84e6, "USD")),
    ]


def test_a_rows_own_label_says_more_than_those_over_it(tmp_path):
    """Numerators are money and denominators shares, whatever is per share in the label over them."""
    rows = (
        "|2024",
        "Basic net income per share:|",
        "Numerator|",
        "Net income|$90",
        "Denominator|",
        "Effect of stock-based awards|30",
        "Basic EPS|$3.00",
    )
    found = [(label.rpartition(" > ")[2], *rest) for label, _, *rest in read(tmp_path, *rows)]
    assert found == [
        *(
            ("Net income", 90e6, "USD"),
            ("Effect of stock-based awards", 30e6, "shares"),
            ("Basic EPS", 3.0, "USD/shares"),
        ),
    ]


def test_whole_thousands_are_no_amounts_per_share(tmp_path):
    """Of a row whose label, or of a column whose header, says per share: what is per share states cents."""
    rows = (
        "|2024|Income per share allocation",
        "Net income used in computing net income per share|1,400|$300",
        "Income for diluted EPS|$900|$1,200",
        "Basic EPS|$3.00|$5",
    )
    assert [row[2:] for row in read(tmp_path, *rows)] == [
        *((1400e6, "USD"), (300e6, "USD"), (900e6, "USD"), (1200e6, "USD")),
        *((3.0, "USD/shares"), (5.0, "USD/shares")),
    ]


def test_a_number_of_things_is_no_money(tmp_path):
    rows = ("|2024", "Number of units|", "Granted|5,000", "Cost|$7")
    assert [row[2:] for row in read(tmp_path, *rows)] == [(None, None), (7e6, "USD")]


@pytest.mark.parametrize(
    ("title", "rows"),
    [
        ("Exhibits", ("|Exhibit No.", "Form of award|10.22", "Indenture|4.1")),
        ("Signed documents", ("10.22|Form of award", "4.1|Indenture", "31|Certification")),
        ("Index to Consolidated Financial Statements", ("Balance sheets|48", "Notes|52")),
        ("Contents", ("|Page", "Balance sheets|48", "Notes|52")),
    ],
)
def test_numbers_of_exhibits_and_pages_are_no_figures(tmp_path, title, rows):
    assert tables(tmp_path, *rows, above=f"<p>{title}</p>") == []
    [data] = tables(tmp_path, *rows, "Fees|$3", above=f"<p>{title}</p>")
    assert len(data.figures) == sum("|" in row and any(map(str.isdigit, row)) for row in rows) + 1


@pytest.mark.parametrize(("shares", "read"), [("5", 5000.0), ("100,000,000", 1e11), ("100,000,001", None)])
def test_a_filings_convention_is_the_scale_of_a_table_without_a_caption(tmp_path, shares, read):
    """Three captions agree; of the fourth table columns with a currency are money, and shares no more than can be."""

    def table(above: str, *rows: str) -> str:
        cells = "".join(f"<tr><td>{row.replace('|', '</td><td>')}</td></tr>" for row in ("|2024|Staff|Shares", *rows))
        return f"<p>{above}</p><table>{cells}</table>"

    said = table("(in thousands)", "Sales|$1|9|5") * 3
    last = table("More.", "Sales|$4|9|5", f"Options||9|{shares}")
    path = tmp_path / "a.htm"
    path.write_text(f"<html><body>{said}{last}</body></html>", encoding="utf-8")
    lines = read_document(str(path)).lines
    *_, last = read_tables(lines, range(len(lines)))
    assert last.scale_source == "filing"
    assert [(figure.value, figure.unit) for figure in last.figures] == [
        *((4000.0, "USD"), (None, None), (5000.0 if read else None, "shares"), (None, None), (read, "shares")),
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("1,234.5", 1234.5), ("$(12)", -12.0), ("($12)", -12.0), ("−7%", -7.0), (".25", 0.25), ("12 (a)", 12.0)),
        *(("—", 0.0), ("$ –", 0.0), ("NM", None), ("45 bps", 0.45), ("1,23", None), ("(0)", 0.0)),
        *(("nil", 0.0), ("-0-", 0.0), ("5-", -5.0), ("$5.0 million", 5.0), ("7 (2)", 7.0), ("12 years", None)),
    ],
)
def test_values(text, value):
    assert value_of(text) == value


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        *(("$(12)", "USD"), ("(€12)", "EUR"), ("-US $3", "USD"), ("12", None), ("3 pts", "%"), ("3 bps", "%")),
        *(("2x", "x"), ("—", None), ("$—", "USD"), ("—%", "%"), ("HK$5", "HKD")),
    ],
)
def test_units_that_figures_say(text, unit):
    assert unit_written(text) == unit


@pytest.mark.parametrize(
    ("header", "stub", "end", "year"),
    [
        ("December 31, 2024", "", "2024-12-31", 2024),
        ("2024", "Years ended June 30,", "2024-06-30", 2024),
        ("Fiscal 2024", "", None, 2024),
        ("2024 2023", "", None, None),
        ("Change", "Years ended June 30,", None, None),
        ("$2,024", "", None, None),
    ],
)
def test_periods(header, stub, end, year):
    day, found = period_of(header, stub)
    assert (day and day.isoformat(), found) == (end, year)


@pytest.mark.parametrize(
    ("text", "caption"),
    [
        ("(in millions)", Caption(1e6, 1e6)),
        ("(In thousands, except per share data)", Caption(1e3, 1e3)),
        ("(in millions, except share and per share data)", Caption(1e6, 1.0)),
        ("(net income in millions and shares in thousands)", Caption(1e6, 1e3)),
        ("(Dollars and shares in millions)", Caption(1e6, 1e6)),
        ("($000’s)", Caption(1e3, 1e3)),
        ("(Dollar amounts and square feet in millions)", Caption(1e6, 1e6)),
        ("(unaudited)", Caption(None, None)),
    ],
)
def test_captions(text, caption):
    assert read_caption(text) == caption
    assert is_caption(text) or text.startswith(("(net", "(un", "($0"))


def test_a_caption_is_the_brackets_of_a_longer_line():
    assert caption_in("Consolidated statements of income (in millions) of the company") == "(in millions)"
    assert caption_in("Sales rose in millions of homes " + "and so on " * 12) is None


@pytest.mark.parametrize(
    ("label", "unit"),
    [
        ("Net income per diluted share", "USD/shares"),
        ("Diluted EPS", "USD/shares"),
        ("Weighted-average grant date fair value", "USD/shares"),
        ("Number of shares outstanding", "shares"),
        ("Weighted average basic", "shares"),
        ("Gross margin percentage", "%"),
        ("Net sales (per share)", None),
        ("Share-based compensation", None),
        ("Fair value per option granted", "USD/shares"),
        ("Price per performance-based share", "USD/shares"),
        ("A dollar a share", "USD/shares"),
        ("Class A share repurchases", None),
    ],
)
def test_units_that_labels_imply(label, unit):
    assert unit_named(label) == unit


@pytest.mark.parametrize(
    ("label", "is_rate"),
    [
        *(("Effective tax rate", True), ("Discount rate (1)", True), ("Tax rates", True), ("Net sales", False)),
        *(("Tax at the U.S. statutory rate", False), ("Effect of exchange rates", False), ("Rate changes", False)),
    ],
)
def test_rates(label, is_rate):
    assert names_rate(label) == is_rate


@pytest.mark.parametrize(
    ("label", "is_count"),
    [
        *(("Number of stores", True), ("Unit counts at period end", True), ("Retail square feet", True)),
        *(("Employees", True), ("Total employees", True), ("Employees' salaries", False), ("Discounts", False)),
        *(("Accounts payable", False), ("Cost per square foot", False)),
    ],
)
def test_numbers_of_things(label, is_count):
    assert names_count(label) == is_count
