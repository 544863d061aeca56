"""Cells of a table's row that are one: a figure with its currency, brackets and footnote marks, or a text.

Cells that hold "$", ")" or "%" alone belong to their figure; a raised mark of a footnote belongs to no figure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING

from finrag.text.amounts import CURRENCIES
from finrag.text.plain_text import SCALES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from finrag.corpus.html.document import Cell

_CURRENCY = r"(?:(?:(?:US|CA?|A|HK)\s?)?\$|[€£¥])"
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
_POINTS = r"%|pts?\.?|bps"
_FIGURE = re.compile(
    rf"(?P<sign>[-–—−+])?\s?(?P<money>{_CURRENCY})?\s?(?P<open>\()?\s?(?P<inner>{_CURRENCY})?\s?(?P<minus>[-–—−])?"
    rf"(?P<digits>{_NUMBER})(?P<behind>-)?\s?(?P<percent>%)?\s?\)?\s?(?P<after>{_POINTS}|x)?"
    rf"(?:\s?(?P<scale>{'|'.join(SCALES)}))?(?:\s?\(?[a-z*†‡]{{1,2}}\)?)?(?:\s?\((?:\d{{1,2}}|[a-z])\))*"
)
_DASH = re.compile(rf"{_CURRENCY}?\s?(?:[-–—−]+|-0-|nil)\s?%?", re.IGNORECASE)
_NOT_STATED = re.compile(r"(?:nm|n/?m|n/?a|\*+|not meaningful)\.?", re.IGNORECASE)
_SIGN = re.compile(rf"[-–—−+(\s]*({_CURRENCY})")
_OPENS = re.compile(rf"[-–—−]?(?:{_CURRENCY}|\()+")
_CLOSES = re.compile(rf"\)?\s?(?:{_POINTS})?|\)\s?x")
# "1", "(2)", "(1)(2)", "a", "*": not "th" of 5th.
_MARK = re.compile(r"(?:\(?(?:\d{1,2}|[A-Za-z]|[*†‡§#]+)\)?[\s,]*)+")
_NUMBER_IN_BRACKETS = re.compile(r"\(\d{1,2}\)")
# What a ratio ("0.5x") is stated in: it is no amount.
TIMES = "x"


@dataclass
class Entry:
    """Cells that are one: a figure with its currency and brackets, or a text. begin, end: columns, end exclusive."""

    text: str
    begin: int
    end: int
    indent: float
    tags: list[int]
    is_figure: bool = False


def entries(cells: Sequence[Cell]) -> list[Entry]:
    """The cells of a row, those of one figure joined."""
    found: list[Entry] = []
    opened: Entry | None = None  # "$" or "(" before its figure
    for cell in cells:
        text = without_mark(cell)
        if not text and found:
            continue
        if found and found[-1].is_figure and opened is None and _CLOSES.fullmatch(text):
            last = found[-1]
            last.text, last.end = last.text + text, cell.column + cell.span
            last.tags = [*last.tags, *cell.tags]
            continue
        entry = Entry(text or cell.text, cell.column, cell.column + cell.span, cell.indent, list(cell.tags))
        if opened is not None and (is_figure(opened.text + text) or is_figure(text) or _OPENS.fullmatch(text)):
            entry = Entry(opened.text + entry.text, opened.begin, entry.end, opened.indent, opened.tags + entry.tags)
        elif opened is not None:  # "$" over a column of dollars
            found.append(opened)
        opened = None
        if _OPENS.fullmatch(entry.text):
            opened = entry
            continue
        entry.is_figure = bool(text) and is_figure(entry.text)
        found.append(entry)
    return with_mark_first(found if opened is None else [*found, opened])


def without_mark(cell: Cell) -> str:
    """The text of a cell without the raised footnote mark behind its figure; nothing is left of a mark alone."""
    if not cell.raised or (cell.tags and cell.text == cell.raised) or not _MARK.fullmatch(cell.raised):
        return cell.text
    text = cell.text.removesuffix(cell.raised).rstrip()
    return text if not text or is_figure(text) else cell.text


def with_mark_first(row: list[Entry]) -> list[Entry]:
    """A footnote under a table, "(1)" and a text, is one text."""
    if len(row) != 2 or row[1].is_figure or row[0].tags or not _NUMBER_IN_BRACKETS.fullmatch(row[0].text):
        return row
    mark, note = row
    return [Entry(f"{mark.text} {note.text}", mark.begin, note.end, mark.indent, note.tags)]


@lru_cache(4096)
def is_figure(text: str) -> bool:
    return any(pattern.fullmatch(text) is not None for pattern in (_FIGURE, _DASH, _NOT_STATED))


def leading(row: Sequence[Entry]) -> list[Entry]:
    """The texts before a row's first figure."""
    first = next((index for index, entry in enumerate(row) if entry.is_figure), len(row))
    return list(row[:first])


def value_of(text: str) -> float | None:
    """The number of a figure: negative in brackets or with a minus, a dash is 0, "NM" is None, 220 bps are 2.2."""
    if _DASH.fullmatch(text):
        return 0.0
    found = _FIGURE.fullmatch(text)
    if not found:
        return None
    is_negative = found["open"] or found["sign"] in tuple("-–—−") or found["minus"] or found["behind"]
    number = float(found["digits"].replace(",", "")) / (100 if found["after"] == "bps" else 1)
    return -number if is_negative and number else number


@lru_cache(4096)
def unit_written(text: str) -> str | None:
    """What a figure itself says that it is in: `%` (points, too), a currency's code, `x`; None where it does not."""
    found = _FIGURE.fullmatch(text)
    if "%" in text or (found and found["after"] and found["after"] != TIMES):
        return "%"
    if sign := _SIGN.match(text):
        return CURRENCIES["".join(sign[1].lower().split())]
    return found["after"] if found else None


def scale_written(text: str) -> float | None:
    """The scale that a figure itself states: of "$5.0 million"."""
    found = _FIGURE.fullmatch(text)
    return SCALES[found["scale"]] if found and found["scale"] else None


def scaled_by(value: float, scale: float) -> float:
    """Their product in decimals: 261.4 in millions is 261400000, and not 261399999.99999997."""
    return float(Decimal(str(value)) * Decimal(scale))
