"""The period of a table's figures: what headers, the stub and the labels of rows say of it."""

from __future__ import annotations

import re
from calendar import monthrange
from functools import lru_cache
from typing import TYPE_CHECKING

from finrag.corpus.html.cover import date_in
from finrag.text.years import MONTHS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import date

_YEAR = re.compile(r"(?:fiscal\s+(?:year\s+)?|FY\s?)?((?:19|20)\d\d)(?:\s?\(?[a-z*\d]{0,2}\)?)?", re.IGNORECASE)
_YEAR_IN = re.compile(r"(?<![\d,.$])((?:19|20)\d\d)(?![\d,.]\d|%)")
_MONTH_DAY = re.compile(rf"\b({'|'.join(MONTHS)})\s+(\d{{1,2}})\b", re.IGNORECASE)
# "Balance as of December 31, 2024", "Nonvested at May 31, 2024": not the year that notes are due.
_OF_DAY = re.compile(
    r"(?:\b(?:balances?|outstanding|(?:non|un)?vested|exercisable|ended)\b|^as\b).*\b(?:of|at|on|ended)?\b.*\d{4}\W*$",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"^(?:beginning|opening)\b|\b(?:beginning|opening) balances?\b|\bjanuary 1\W*$"
    r"|\bbeginning of (?:the )?(?:fiscal )?(?:year|period)\b",
    re.IGNORECASE,
)
_PART_OF_YEAR = re.compile(r"\b(?:three|six|nine)\s+months\b|\bquarters?\b", re.IGNORECASE)
# A year of 52 or 53 weeks, or of 365 or 366 days.
YEAR_DAYS = range(364, 372)


def is_year(text: str) -> bool:
    return _YEAR.fullmatch(text) is not None


def years_in(texts: Iterable[str]) -> set[int]:
    return {int(year) for text in texts for year in _YEAR_IN.findall(text)}


def is_run(years: Collection[int]) -> bool:
    """Whether the years are two or more that follow each other, as those over columns do, in any order."""
    return len(years) > 1 and max(years) - min(years) == len(years) - 1


@lru_cache(1024)
def period_of(header: str, stub: str) -> tuple[date | None, int | None]:
    """(last day, year) that a header states; the stub of its table may state month and day for all columns."""
    day = date_in(header)
    if day:
        return day, day.year
    years = _YEAR_IN.findall(header)
    if len(set(years)) != 1:
        return None, None
    month_day = _MONTH_DAY.search(header) or _MONTH_DAY.search(stub)
    if month_day:
        day = date_in(f"{month_day[1]} {month_day[2]}, {years[0]}")
    return day, int(years[0])


@lru_cache(1024)
def period_in(path: str) -> tuple[date | None, int | None]:
    """(last day, year) that the innermost of a row's labels states that states one."""
    dated = (label for label in reversed(path.split(" > ")) if _OF_DAY.search(label))
    return next((found for label in dated if (found := period_of(label, ""))[1]), (None, None))


def is_opening(path: str, header: str) -> bool:
    """Whether a figure is of what there was when the period that is stated began: "Cash, beginning of year"."""
    return any(_OPENING.search(text) for text in (path.rpartition(" > ")[2], header))


def opening_of(header: str, end: date | None, year: int, others: Iterable[date]) -> tuple[date | None, int | None]:
    """(last day, year) of the year before: the day is that of another column, or the end of the same month."""
    if _PART_OF_YEAR.search(header):
        return None, None
    if end is None:
        return None, year - 1
    days = {other for other in others if (end - other).days in YEAR_DAYS}
    if len(days) == 1:
        day = days.pop()
        return day, day.year
    if end.day != monthrange(end.year, end.month)[1]:
        return None, year - 1
    return end.replace(year=end.year - 1, day=monthrange(end.year - 1, end.month)[1]), year - 1
