"""Tables of figures: what each figure is a figure of, by the headers over it and the labels before it.

A table is read as it is seen. Cells that hold "$", ")" or "%" alone are one with their figure; rows over the first
figures are headers, and so are later rows of years and dates alone; a label without figures heads the rows under it
that are set in as far or further, until a total.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

from finrag.corpus.html.document import single_spaced
from finrag.corpus.html.entries import TIMES, Entry, entries, leading, scale_written, scaled_by, unit_written, value_of
from finrag.corpus.html.periods import is_opening, is_run, is_year, opening_of, period_in, period_of, years_in
from finrag.text.captions import (
    Caption,
    caption_in,
    currency_named,
    is_caption,
    is_of_money,
    names_count,
    names_rate,
    read_caption,
    unit_named,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from finrag.corpus.html.document import Cell, Line

_PART_OF_RATIO = re.compile(r"(?:numerator|(denominator))\b", re.IGNORECASE)
_TOTAL = re.compile(r"total\b|net\b.*\btotal\b", re.IGNORECASE)
# A label before the years of columns: "Years ended", and before years that are figures: "Expires in", or over them.
_OF_YEARS = re.compile(r"\b(?:years?|ended|fiscal|december|june)\b", re.IGNORECASE)
_IS_DUE = re.compile(r"\b(?:expir\w+|matures|due(?! to))\b", re.IGNORECASE)
_DUE = re.compile(r"\bmaturit(?:y|ies)\b|\bdates?\b", re.IGNORECASE)
# Lines above a table among which its title and its caption are looked for, and the length that a title may have.
LINES_ABOVE = 5
TITLE_LENGTH = 240
# A scale that this many captions of a filing state, and this share of them, is that of its tables without one.
LEAST_CAPTIONS = 3
CAPTION_SHARE = 0.8
# Rows over the first figures that may be headers: more are a text laid out as a table.
HEADER_ROWS = 8
# The most that a company of EDGAR may issue are some 80 billion.
MOST_SHARES = 1e11
# What numbers exhibits or pages: "10.22  Form of Award Agreement", "Item 7 … 29".
_OF_DOCUMENTS = re.compile(r"\bexhibits?\b|\btable of contents\b|^index to\b", re.IGNORECASE)
_PAGES = re.compile(r"pages?(?:\s+(?:no|number)s?\.?)?", re.IGNORECASE)
_LAST_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")


@dataclass
class Figure:
    """A figure of a table. column: 0-based among the figures of its row. value: base units, percent as 18.0 for 18%."""

    row: int
    column: int
    line: int
    row_label: str
    column_header: str
    value_text: str
    value: float | None
    unit: str | None
    scale: float | None
    period_end: str | None
    period_year: int | None
    tags: list[int]


@dataclass
class Row:
    """A row with figures, and what it says when it stands alone."""

    row: int
    line: int
    label: str
    text: str


@dataclass
class Table:
    """table_no: of the document's tables with figures, from 1. line: its first. scale: of money.

    scale_source: `caption`, or `filing` where the scale is the one that the filing's other captions state.
    """

    table_no: int
    line: int
    title: str
    caption: str
    scale: float | None
    scale_source: str | None
    rows: list[Row] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)


def read_tables(lines: Sequence[Line], kept: Sequence[int]) -> list[Table]:
    """The tables with figures among the kept lines, in their order."""
    readers: list[_Reader] = []
    above: list[str] = []
    for number, group in groupby(kept, lambda index: lines[index].table):
        indices = list(group)
        if number is None:
            above = [lines[index].text for index in indices[-LINES_ABOVE:]]
        elif any(entry.is_figure for index in indices for entry in entries(lines[index].cells)):
            readers.append(_Reader([(index, lines[index].cells) for index in indices], above))
    convention = usual_scale([reader.caption.scale for reader in readers])
    tables = [table for reader in readers if (table := reader.read(convention)).figures]
    for number, table in enumerate(tables, 1):
        table.table_no = number
    return tables


def usual_scale(scales: Sequence[float | None]) -> float | None:
    """The scale that a filing's captions agree on, for its tables without one; None where they do not."""
    stated = Counter(scale for scale in scales if scale is not None)
    if not stated:
        return None
    scale, count = stated.most_common(1)[0]
    is_usual = count >= LEAST_CAPTIONS and count >= CAPTION_SHARE * stated.total()
    return scale if is_usual else None


class _Reader:
    """Reads the rows of one table from the first to the last."""

    def __init__(self, rows: Sequence[tuple[int, Sequence[Cell]]], above: Sequence[str]) -> None:
        self.rows = [(line, with_year_label(entries(cells))) for line, cells in rows]
        self.are_headers = self.header_rows()
        self.headers: list[list[Entry]] = []
        self.groups: list[Entry] = []  # labels over the rows that come, outermost first
        head = self.head()
        stated = [entry.text for _, row in self.rows[:head] for entry in row if is_caption(entry.text)]
        found = (caption_in(text) for text in [*stated, *reversed(above)])
        caption = next((text for text in found if text), "")
        self.caption = read_caption(caption)
        self.is_money = is_of_money(" ".join([caption, *(entry.text for _, row in self.rows for entry in row)]))
        self.units = self.units_of_columns()
        self.money = {column for column, units in self.units.items() if units - {"%", TIMES}}
        self.percent = {column for column, units in self.units.items() if "%" in units} - self.money
        self.whole = self.columns_with(",") - self.columns_with(".")
        scale_source = "caption" if self.caption.scale else None
        self.table = Table(0, rows[0][0], self.title(above, head), caption, self.caption.scale, scale_source)

    def head(self) -> int:
        """How many rows stand over the first row of figures."""
        for index, (_, row) in enumerate(self.rows):
            if any(entry.is_figure for entry in row) and not self.are_headers[index]:
                return index
        return len(self.rows)

    def header_rows(self) -> list[bool]:
        """Which rows name columns."""
        found = []
        years: set[int] = set()  # of the last header that states some
        for _, row in self.rows:
            found.append(is_header(row, self.label_end(row), years))
            years = (found[-1] and years_in(entry.text for entry in row)) or years
        return found

    def label_end(self, row: Sequence[Entry]) -> int:
        """The column where a row's label ends: 0 where it has none."""
        return row[0].end if row and not row[0].is_figure and row[0].begin == 0 else 0

    def title(self, above: Sequence[str], head: int) -> str:
        """The lead or heading over the table, else a row across it, else the line above."""
        across = [row[0].text for _, row in self.rows[:head] if len(row) == 1]
        texts = [text for text in (without_caption(text) for text in reversed(above)) if any(map(str.isalpha, text))]
        leads = [text for text in texts if text.endswith(":") or text[-1] not in ".;,)"]
        names = [without_caption(text) for text in across]
        return shortened(next((text for text in [*leads, *names, *texts] if text), ""))

    def columns_with(self, sign: str) -> set[int]:
        """Where the columns begin of which some figure has the sign."""
        return {entry.begin for _, row in self.rows for entry in row if entry.is_figure and sign in entry.text}

    def units_of_columns(self) -> dict[int, set[str]]:
        """What figures of a column themselves say that they are in, by where it begins."""
        units: dict[int, set[str]] = {}
        for entry in (entry for _, row in self.rows for entry in row if entry.is_figure):
            if unit := unit_written(entry.text):
                units.setdefault(entry.begin, set()).add(unit)
        return units

    def read(self, convention: float | None) -> Table:
        """convention: the scale of the filing's tables that do not state one."""
        if self.caption.scale is None and self.caption.share_scale is None and convention is not None:
            self.caption = Caption(convention, convention)
            self.table.scale, self.table.scale_source = convention, "filing"
        head = self.head()
        if head > HEADER_ROWS or self.lists_documents():
            return self.table
        was_header = True
        for number, (line, row) in enumerate(self.rows):
            is_label = len(row) == 1 and row[0].begin == 0 and not row[0].is_figure
            if row and all(not entry.is_figure and is_caption(entry.text) for entry in row):
                if number > head:  # of the rows that come
                    self.caption = read_caption(row[0].text)
                continue
            if (number < head and not (is_label and self.headers)) or self.are_headers[number]:
                self.headers = [*self.headers, row] if was_header else [row]
                was_header = True
                continue
            was_header = was_header and is_label
            if any(entry.is_figure for entry in row):
                self.add(number, line, row)
            elif row:
                self.open_group(row[0])
        if self.table.scale_source == "filing":
            self.leave_open_shares()
        return self.table

    def leave_open_shares(self) -> None:
        """Where the filing's scale would make more shares than there can be, nothing says the scale of the table's."""
        shares = [figure for figure in self.table.figures if figure.unit == "shares" and figure.value is not None]
        if any(abs(figure.value or 0.0) > MOST_SHARES for figure in shares):
            for figure in shares:
                figure.value = figure.scale = None

    def lists_documents(self) -> bool:
        """Whether its figures are numbers of exhibits or pages: none is money or a share, and it says or looks so."""
        if self.table.caption or self.money or self.percent:
            return False
        held = [row for _, row in self.rows if any(entry.is_figure for entry in row)]
        numbered = sum(row[0].is_figure and any(not entry.is_figure for entry in row[1:]) for row in held)
        is_paged = any(_PAGES.fullmatch(entry.text) for _, row in self.rows for entry in row)
        return is_paged or 2 * numbered > len(held) or _OF_DOCUMENTS.search(self.table.title) is not None

    def open_group(self, label: Entry) -> None:
        self.groups = [group for group in self.groups if group.indent < label.indent]
        self.groups.append(label)

    def add(self, number: int, line: int, row: list[Entry]) -> None:
        """A row of figures."""
        label = " ".join(entry.text for entry in leading(row))
        indent = row[0].indent if leading(row) else 0.0
        groups = [group for group in self.groups if group.indent <= indent]
        self.groups = groups
        path = " > ".join([*(group.text.rstrip(":") for group in groups), *([label] if label else [])])
        figures = [entry for entry in row if entry.is_figure]
        parts = []
        for column, entry in enumerate(figures):
            header = self.header_over(entry, column, len(figures))
            figure = self.figure(number, column, line, path, header, entry)
            self.table.figures.append(figure)
            parts.append(f"{header}: {entry.text}" if header else entry.text)
        text = self.written(path, parts)
        self.table.rows.append(Row(number, line, path, text))
        if _TOTAL.match(label):
            self.groups = [group for group in groups if group.indent < indent]

    def header_over(self, entry: Entry, column: int, count: int) -> str:
        """The headers over a figure, outermost first; where columns do not line up, those of its place in the row."""
        texts: list[str] = []
        for header in self.headers:
            held = [cell for cell in header if cell.begin > 0 or cell.end > self.stub_end(header)]
            over = [cell for cell in held if cell.begin < entry.end and entry.begin < cell.end]
            if not over and len(held) == count:
                over = [held[column]]
            texts += [cell.text for cell in over if cell.text not in texts and not is_caption(cell.text)]
        return " ".join(texts)

    def stub_end(self, header: Sequence[Entry]) -> int:
        """Where the header of the labels' column ends; one that goes across the table is a header of all columns."""
        return header[0].end if len(header) > 1 else 0

    def stub(self) -> str:
        """What the headers say over the labels: "Years ended December 31,"."""
        return " ".join(header[0].text for header in self.headers if len(header) > 1 and header[0].begin == 0)

    def figure(self, number: int, column: int, line: int, path: str, header: str, entry: Entry) -> Figure:
        unit, scale = self.unit_and_scale(number, path, header, entry)
        period_end, period_year = period_of(header, self.stub())
        if period_year is None:
            period_end, period_year = period_in(path)
        if period_year is not None and is_opening(path, header):
            period_end, period_year = opening_of(header, period_end, period_year, self.days())
        value = value_of(entry.text)
        scaled = None if value is None or unit is None or scale is None else scaled_by(value, scale)
        end = period_end.isoformat() if period_end else None
        return Figure(number, column, line, path, header, entry.text, scaled, unit, scale, end, period_year, entry.tags)

    def days(self) -> list[date]:
        """Those that the headers state."""
        found = (period_of(cell.text, self.stub())[0] for header in self.headers for cell in header)
        return [day for day in found if day]

    def unit_named(self, number: int, path: str, header: str, entry: Entry) -> str | None:
        """What headers or labels imply. Amounts per share state cents: whole thousands under "per share" are none."""
        over, before = unit_named(header), unit_of(path)
        if over == "USD/shares" and entry.begin in self.whole:
            over = None
        row = "".join(each.text for each in self.rows[number][1] if each.is_figure)
        if before == "USD/shares" and "," in row and "." not in row:
            before = None
        return over or before

    def unit_and_scale(self, number: int, path: str, header: str, entry: Entry) -> tuple[str | None, float | None]:
        """Unit and multiplier of a figure; None where nothing says them."""
        written = unit_written(entry.text)
        if written == TIMES or (is_year(entry.text) and (_IS_DUE.search(path) or _DUE.search(header))):
            return None, None
        is_count = any(map(names_count, path.split(" > ")))
        if written == "%" or (entry.begin in self.percent and not is_count and "," not in entry.text):
            return "%", 1.0
        stated = read_caption(header) if caption_in(header) else self.caption
        if scale := scale_written(entry.text):
            stated = Caption(scale, scale)
        named = self.unit_named(number, path, header, entry)
        has_sign = written is not None
        currency = self.currency(written, header, entry)
        if named == "USD/shares":
            return (f"{currency}/shares", 1.0) if currency else (None, None)
        if named == "%" and not has_sign:
            return "%", 1.0
        if named == "shares" and not has_sign:
            return named, stated.share_scale
        if not has_sign and is_count:
            return None, None
        is_money = has_sign or (entry.begin in self.money if self.table.scale_source == "filing" else self.is_money)
        if stated.scale is not None and is_money and currency:
            return currency, stated.scale
        return None, None

    def currency(self, written: str | None, header: str, entry: Entry) -> str | None:
        """The code of a figure's currency, if it is money; None where others of its column have several."""
        if written and written != "USD":
            return written
        named = currency_named(header) or currency_named(self.table.caption)
        if named and (written is None or named.endswith("D")):  # "$" is that of Canada, too
            return named
        if written:
            return written
        others = self.units.get(entry.begin, set()) - {"%", TIMES}
        return next(iter(others or {"USD"})) if len(others) < 2 else None

    def written(self, path: str, parts: Sequence[str]) -> str:
        """A row that can be understood alone."""
        caption = self.table.caption.removeprefix("(").removesuffix(")").strip()
        head = ", ".join(part for part in (self.table.title.rstrip(":."), caption) if part)
        body = f"{path}, {'; '.join(parts)}" if path else "; ".join(parts)
        return f"{head}: {body}" if head else body


@lru_cache(1024)
def unit_of(path: str) -> str | None:
    """The unit that a row's labels imply, its own before those over it; a numerator is of money whatever is over it."""
    for label in reversed(path.split(" > ")):
        if named := unit_named(label) or ("%" if names_rate(label) else None):
            return named
        if part := _PART_OF_RATIO.match(label):
            return "shares" if part[1] else None
        if names_count(label):
            return None
    return None


def with_year_label(row: list[Entry]) -> list[Entry]:
    """The row, whose first cell is a label also where it is a year: the one in which what follows is due."""
    if len(row) > 1 and row[0].begin == 0 and is_year(row[0].text):
        row[0].is_figure = not any(entry.is_figure and not is_year(entry.text) for entry in row[1:])
    return row


def is_header(row: Sequence[Entry], label_end: int, over: set[int]) -> bool:
    """Whether a row names columns: its figures are years.

    Where it has a label of its own, these follow each other, and are of those of the headers over them.
    """
    figures = [entry.text for entry in row if entry.is_figure]
    if figures:
        label = " ".join(entry.text for entry in leading(row))
        years = years_in(figures)
        is_named = not label or is_caption(label) or _OF_YEARS.search(label) is not None
        is_again = row[0].begin > 0 or (is_run(years) and not (over and over.isdisjoint(years)))
        return all(map(is_year, figures)) and (is_named or (is_again and not _IS_DUE.search(label)))
    named = [entry for entry in row if entry.begin >= label_end]
    return len(named) > 0 and (len(row) > 1 or row[0].begin > 0)


def without_caption(text: str) -> str:
    """A text without the part that says in what figures are."""
    caption = caption_in(text)
    return text if caption is None else single_spaced(text.replace(caption, "").replace(" :", ":"))


def shortened(text: str) -> str:
    """The last sentence of a text, cut at a word."""
    text = single_spaced(_LAST_SENTENCE.split(text)[-1])
    return text if len(text) <= TITLE_LENGTH else "… " + text[-TITLE_LENGTH:].split(" ", 1)[-1]
