"""The year that each figure of an answer is given for."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import TypeVar

from finrag.text.amounts import Amount, parse_years
from finrag.text.vocabulary import COMPARISONS
from finrag.text.years import BESIDE_YEAR, YEAR_DIGITS

PART_OF = re.compile(r"\s(?:out\s)?of\s(?:[\w'’-]+\s){0,5}", re.I)  # "$1.3 billion of its $4.6 billion in 2022"
# Two nouns that are one thing: "research and development", "cash and cash equivalents".
ONE_NOUN = re.compile(
    r"\b(?:research\sand\sdevelopment|general\sand\sadministrative|cash\sand\scash|property\sand\s(?:equipment|casualty)"
    r"|plant\sand\sequipment|depreciation\sand\samorti[sz]ation|salaries\sand\s\w+|sales\sand\smarketing|property,\splant\sand)\b",
    re.I,
)
LINE_OF_YEAR = re.compile(rf"^\W*(?:FY\s?|fiscal\s(?:year\s)?)?({YEAR_DIGITS})\b(?=\W)", re.I)
OTHER_CLAUSE = re.compile(rf"[;:|]|\b(?:{COMPARISONS}|and|or|but|while|whereas|up|down|compared)\b", re.I)
Head = TypeVar("Head")
CITED = re.compile(r"\[[^\]\[]{0,80}\]|【[^】]{0,80}】")


def years_beside(amounts: Sequence[Amount], text: str) -> dict[Amount, float | None]:
    """The year that each amount is given for: that of its column in a table; else the next one of its clause, the last
    one before it without an amount between, the next one of its sentence, or the last one of its sentence.
    "$5 and $6 million in 2018 and 2019, respectively" go in turn.
    """
    columns = heads_of_columns(text, lambda cell: [year.value for year in parse_years(cell)])
    cited = [place.span() for place in CITED.finditer(text)]
    all_years = parse_years(text)
    year_starts, amount_starts = [y.start for y in all_years], [amount.start for amount in amounts]
    is_cited = {y.start for y in all_years if any(start < y.start < end for start, end in cited)}
    found: dict[Amount, float | None] = {}
    taken: set[int] = set()  # years that stand for the amount before them
    for place, amount in enumerate(amounts):
        line_end = min(
            (text.find(mark, amount.end) for mark in ("\n", ". ") if text.find(mark, amount.end) >= 0),
            default=len(text),
        )
        line_start = max(text.rfind(mark, 0, amount.start) for mark in ("\n", ". "))
        every = all_years[bisect_left(year_starts, line_start) : bisect_left(year_starts, line_end)]
        years = [y for y in every if y.start not in is_cited]
        following = amounts[place + 1].start if place + 1 < len(amounts) else len(text)
        last_end = amounts[place - 1].end if place else 0
        after = [y for y in years if amount.end <= y.start < min(following, line_end)]
        after = [y for y in after if not re.match(r"\s*:", text[y.end :])]
        beside = [
            y
            for y in after
            if is_label(text[amount.end : y.start]) or ends_clause(text[amount.end : following], y.start - amount.end)
        ]
        earlier = [y for y in years if y.start < amount.start]
        adjacent = [y for y in earlier if y.start >= last_end and (y.start not in taken or not after)]
        taken |= {y.start for y in beside[:1]}
        loose = [y for y in after if not OTHER_CLAUSE.search(text[amount.end : y.start])]
        meant = beside[:1] or adjacent[-1:] or loose[:1] or earlier[-1:]
        row_start, column = cell_of(amount, text)
        found[amount] = columns.get(row_start, {}).get(column) or (meant[0].value if meant else None)
        if found[amount] is None:  # of a citation, which holds for its whole sentence
            found[amount] = next((y.value for y in every if y.start in is_cited and y.start >= amount.end), None)
        row = LINE_OF_YEAR.match(text[row_start : amount.start])
        if row and found[amount] is None:
            found[amount] = float(row[1])  # "- 2019: assets $13.3B | net income $567M"
        if place and found[amounts[place - 1]] is None and PART_OF.fullmatch(text[last_end : amount.start]):
            found[amounts[place - 1]] = found[amount]
        if "respectively" in text[amount.end : line_end]:
            beside_it = amounts[bisect_left(amount_starts, line_start) : bisect_left(amount_starts, line_end)]
            alike = [a for a in beside_it if a.unit == amount.unit]
            labels = [y.value for y in years]
            if len(alike) == len(labels):
                found[amount] = labels[alike.index(amount)]
    return found


def cell_of(amount: Amount, text: str) -> tuple[int, int]:
    """Where the line of an amount starts, and how many bars of a table stand before it there."""
    row_start = text.rfind("\n", 0, amount.start) + 1
    return row_start, text.count("|", row_start, amount.start)


def heads_of_columns(text: str, read: Callable[[str], Sequence[Head]]) -> dict[int, dict[int, Head]]:
    """By the start of each row of a markdown table: what heads a column, by the column's number. read: finds it in a
    cell; one that has several is no head."""
    found: dict[int, dict[int, Head]] = {}
    heads: dict[int, Head] = {}
    start = 0
    for line in text.splitlines(keepends=True):
        if line.lstrip().startswith("|"):
            found[start] = heads
            stated = {column: read(cell) for column, cell in enumerate(line.split("|"))}
            heads = heads | {column: heading[0] for column, heading in stated.items() if len(heading) == 1}
        else:
            heads = {}
        start += len(line)
    return found


def is_label(gap: str) -> bool:
    """Whether a year after these words belongs to the amount before them: "(2019)", " in fiscal 2019", " for 2019"."""
    return bool(
        re.fullmatch(
            rf"[\s(\[]*(?:(?:{BESIDE_YEAR})\W+){{0,5}}",
            f"{gap} ",
            re.I,
        )
    )


def ends_clause(gap: str, place: int) -> bool:
    """Whether the year at a place between two amounts belongs to the first: "of cash in 2019 and spent"."""
    words = ONE_NOUN.sub(lambda match: "x" * len(match[0]), gap[:place])
    lead = re.fullmatch(r"(?:\s(?!(?:and|or|but|while|to|from|up|down)\b)[\w'’-]+){1,8}\s", words)
    tail = re.match(r"(?:,|;|\)|\s(?:and|while|but|compared|versus|whereas))\s", gap[place + 4 :])
    return bool(lead and tail)
