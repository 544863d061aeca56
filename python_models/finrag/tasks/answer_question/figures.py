"""The figure that a question asks for, in sentences: the amount of its measure, for its year, read as answers are read.

A measure is the run of words that a question names ("net cash provided by operating activities"). Its amount is the
first one after these words that is given for the year asked; a change asked for is taken as stated, else computed from
the levels of both years.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from finrag.scoring.figure_years import years_beside
from finrag.scoring.meant import is_compared
from finrag.text.amounts import DURATIONS, NUMBER, PERCENT, POINTS, Amount, parse_amounts, parse_years
from finrag.text.plain_text import plain

CHANGE = re.compile(r"\b(?:change[ds]?|by how much)\b", re.I)
HIGHER = re.compile(r"\b(?:higher|lower|exceed\w*|more|less)\b", re.I)
LOWER = re.compile(r"\b(?:lower|less)\b", re.I)
PERCENT_ASKED = re.compile(r"percent|%|\bmargin\b|\bshare of\b", re.I)
PER_SHARE_ASKED = re.compile(r"\bper (?:\w+ )?share\b|\bEPS\b", re.I)
SHARES_ASKED = re.compile(r"\bhow many\b.*\bshares\b", re.I)
NEVER_MONEY = ("shares", "times", *DURATIONS)
# Where the measure's words are not in one run: so many of them before the amount, or this far after it.
LEAST_COVERED = 0.75
REACH = 40  # characters
LEAST_DOLLARS = 1e6  # money below it, with no scale, is a figure of a table whose caption has the scale
COMPARED_YEAR = re.compile(r"\b(?:compared|against|versus|from|than|prior)\b", re.I)
GAP = r"\W+(?:[\w'&-]+\W+){0,2}?"
# Words that make another measure of the one that follows them: cost of revenues, a fall in operating income.
OTHER_MEASURE = re.compile(
    r"\b(?:cost of|costs of|share of|percent of|% of|fall in|rise in|change in|reduction in)\s+(?:\w+\s)?$", re.I
)


@dataclass(frozen=True)
class Figure:
    """An amount with its sentence and the year it is given for.

    lacks_scale: "$18.0" in a row of a table, whose caption says millions. "$30.5 million" less that is no change.
    """

    amount: Amount
    value: float
    unit: str
    year: float | None
    context: dict
    lacks_scale: bool = False


def levels(question: str, measure: Sequence[str], contexts: Sequence[dict]) -> dict[float, Figure]:
    """The best figure of the measure for each year, sentences in the order given."""
    found: dict[float, tuple[tuple, Figure]] = {}
    for place, context in enumerate(contexts):
        for figure, rank in figures_in(question, measure, context):
            if figure.year is not None and not figure.amount.is_change:
                key = (*rank, place)
                if figure.year not in found or key < found[figure.year][0]:
                    found[figure.year] = (key, figure)
    return {year: figure for year, (_, figure) in found.items()}


def stated_change(question: str, measure: Sequence[str], contexts: Sequence[dict], year: float) -> Figure | None:
    """ "Interest expense rose $5.1 million to $173.6 million in 2023": the change, in the year asked."""
    for context in contexts:
        for figure, _ in figures_in(question, measure, context):
            is_of_year = figure.year == year or (figure.year is None and context.get("report_year") == year)
            if figure.amount.is_change and figure.amount.direction and is_of_year:
                return figure
    return None


def figures_in(question: str, measure: Sequence[str], context: dict) -> list[tuple[Figure, tuple]]:
    """Figures after the measure's words in one sentence, each with its rank: with its scale before without, and written
    out before rounded.
    """
    text = plain(context["text"])
    amounts = parse_amounts(context["text"])
    if not amounts or not measure:
        return []
    phrase = re.compile(GAP.join(rf"\b{re.escape(word)}\w*" for word in measure), re.I)
    named = [match for match in phrase.finditer(text) if not OTHER_MEASURE.search(text[: match.start()])]
    years = years_beside(amounts, text)
    clause_years = parse_years(context["text"])
    found = []
    for place, amount in enumerate(amounts):
        if amount.high is not None or not is_of_kind(amount, question):
            continue
        own = [match.end() for match in named if match.end() <= amount.start]
        is_long = len(measure) > 2  # "operating income" in another order is another measure
        if not own and not (is_long and covered(measure, beside(place, amounts, text)) >= LEAST_COVERED):
            continue
        start = own[-1] if own else 0
        between = [other for other in amounts if start <= other.start < amount.start]
        if len(between) > 3 or (own and other_subject(text[start : amount.start])):
            continue
        year = years[amount]
        if year is None and not is_compared(amount, text):
            said = [each for each in clause_years if not COMPARED_YEAR.search(text[amount.end : each.start])]
            year = said[0].value if len({each.value for each in said}) == 1 else context.get("report_year")
        value = -abs(amount.value) if amount.direction < 0 else amount.value
        unit = amount.unit if amount.unit != NUMBER else "USD"
        lacks_scale = amount.is_unscaled and abs(amount.value) < LEAST_DOLLARS and is_money_asked(question)
        figure = Figure(amount, value, unit, year, context, lacks_scale)
        found.append((figure, (not own, lacks_scale, amount.rounding, len(between))))
    return found


def beside(place: int, amounts: Sequence[Amount], text: str) -> str:
    """The sentence up to an amount, and the words right after it."""
    amount = amounts[place]
    end = amounts[place + 1].start if place + 1 < len(amounts) else len(text)
    return f"{text[: amount.start]} {text[amount.end : min(end, amount.end + REACH)]} {amount.text} {amount.unit}"


def covered(measure: Sequence[str], words: str) -> float:
    """Share of the measure's stems that begin a word."""
    return sum(bool(re.search(rf"\b{re.escape(stem)}", words, re.I)) for stem in measure) / len(measure)


def other_subject(words: str) -> bool:
    """Whether a new statement begins between the measure and the amount."""
    return bool(re.search(r"[;]|\.\s|,?\s(?:and|while|whereas)\s(?:\w+\s){1,4}(?:was|were|of)\s", words))


def is_of_kind(amount: Amount, question: str) -> bool:
    if SHARES_ASKED.search(question):
        return amount.unit == "shares"
    if PER_SHARE_ASKED.search(question):
        return amount.unit.endswith("per share") or (amount.unit == "USD" and abs(amount.value) < 1000)
    if PERCENT_ASKED.search(question):
        return amount.unit in (PERCENT, POINTS)
    is_money = amount.unit not in (PERCENT, POINTS, *NEVER_MONEY) and not amount.unit.endswith("per share")
    return is_money and (amount.unit != NUMBER or not amount.is_bare or abs(amount.value) >= 1000)


def is_money_asked(question: str) -> bool:
    return not any(asked.search(question) for asked in (SHARES_ASKED, PER_SHARE_ASKED, PERCENT_ASKED))


def comparable(first: Figure | None, second: Figure | None) -> bool:
    """Whether both are there and can be set against each other: of one unit, and both with a scale or neither."""
    if first is None or second is None:
        return False
    return first.unit == second.unit and first.lacks_scale == second.lacks_scale


def in_words(value: float, unit: str) -> str:
    """ "$152.8 million", "41.5%", "$2.88 per share"."""
    size = abs(value)
    if unit in (PERCENT, POINTS):
        return f"{size:g}{'%' if unit == PERCENT else ' percentage points'}"
    if unit.endswith("per share"):
        return f"${size:,.2f} per share"
    mark = "$" if unit == "USD" else f"{unit} "
    for factor, word in ((1e9, "billion"), (1e6, "million"), (1e3, "thousand")):
        if size >= factor:
            return f"{mark}{size / factor:,.10g} {word}"
    return f"{mark}{size:,.10g}"
