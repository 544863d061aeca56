"""The digits of amounts where they stand in a text as it is written, and other digits in their place.

Amounts are read in the plain text (finrag.text.plain_text), which writes dashes, spaces, words and fractions anew. What
stands there as digits is looked for in the text itself, so that all around it can be left as it is.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from finrag.text.amounts import DIGITS, Amount
from finrag.text.plain_text import plain

# Of a round number so many of its first digits may change: 1,500 becomes 2,100 and not 2,137.
FREE_DIGITS = 2


@dataclass(frozen=True)
class Digits:
    """A number in a text. start and end are places in the text as it is written."""

    text: str
    start: int
    end: int

    @property
    def number(self) -> Decimal:
        return Decimal(self.text.replace(",", ""))

    @property
    def step(self) -> Decimal:
        """What its last digit counts: 0.01 of 12.34, 1 of 1,234, 100 of 1,500 and 1 of 10."""
        whole, _, decimals = self.text.replace(",", "").partition(".")
        if decimals:
            return Decimal(1).scaleb(-len(decimals))
        zeros = len(whole) - len(whole.rstrip("0"))
        return Decimal(1).scaleb(max(0, min(zeros, len(whole) - FREE_DIGITS)))

    def rounded(self, number: Decimal) -> Decimal:
        """Another number to the same step."""
        return (number / self.step).quantize(Decimal(1), ROUND_HALF_UP) * self.step

    def written(self, number: Decimal) -> str:
        """A number of the same step as this one is written, with commas from 1,000 on unless this one does without."""
        has_commas = "," in self.text or self.number < 1000
        decimals = len(self.text.partition(".")[2])
        written = f"{number:{',' if has_commas else ''}.{decimals}f}"
        return written.removeprefix("0") if self.text.startswith(".") else written


def digits_of(text: str, amounts: Iterable[Amount]) -> list[tuple[Digits, ...]]:
    """Of each amount of a text (``parse_amounts``) its digits, of a range those of both ends.

    Empty for an amount that the text writes otherwise than in these digits ("two million", "a third of").
    """
    place_of = places_in(text)
    found = []
    for amount in amounts:
        spans = [match.span() for match in re.finditer(DIGITS, plain(text)[amount.start : amount.end])]
        digits = [written_at(text, place_of[amount.start + start : amount.start + end]) for start, end in spans]
        is_whole = len(digits) == (1 if amount.high is None else 2) and None not in digits
        found.append(tuple(digits) if is_whole else ())
    return found


def written_at(text: str, places: Sequence[int]) -> Digits | None:
    """The digits at places that follow each other."""
    start, end = places[0], places[-1] + 1
    if start < 0 or list(places) != list(range(start, end)):
        return None
    return Digits(text[start:end], start, end)


def places_in(text: str) -> list[int]:
    """Where each character of the plain text stands in the text; -1 for what the plain text writes anew."""
    written = plain(text)
    if written == text:
        return list(range(len(text)))
    places = [-1] * len(written)
    for block in difflib.SequenceMatcher(None, text, written, autojunk=False).get_matching_blocks():
        places[block.b : block.b + block.size] = range(block.a, block.a + block.size)
    return places


def replaced(text: str, others: Iterable[tuple[Digits, str]]) -> str:
    """The text with other digits in the places of some, and nothing else changed."""
    parts, place = [], 0
    for digits, other in sorted(others, key=lambda pair: pair[0].start):
        parts += [text[place : digits.start], other]
        place = digits.end
    return "".join(parts) + text[place:]
