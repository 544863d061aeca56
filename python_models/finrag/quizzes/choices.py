"""Distractors that only the text can tell from the figure left out, and what a reader without the text can tell.

A figure is given away by its form (unit, sign, scale word, decimals, number of digits), by a word of direction ("fell
to ____ from 64.0%" excludes all above 64.0), by arithmetic (the change and one of two levels give the other), and by
being the middle of the four. Form and direction bind the distractors, figures that follow from others are not asked
for, and a hash decides how many distractors are smaller.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from finrag.quizzes.changes import draw
from finrag.text.amounts import DIGITS, PERCENT, Amount
from finrag.text.plain_text import SCALES
from finrag.text.statements import Sentence, is_same, read

DISTRACTORS = 3
# As large as a distractor may be in the key's terms, or as small: of the same magnitude.
LARGEST_RATIO = 2.5
# Made-up figures, in terms of the key, where the text has too few.
FACTORS = (0.58, 0.66, 0.74, 0.81, 0.87, 0.93, 1.07, 1.14, 1.23, 1.32, 1.45, 1.6, 1.8)
# Between the key and a figure that it may not pass.
STEPS = (0.2, 0.4, 0.6, 0.8)
_DIGITS = re.compile(DIGITS)
# What stands before the earlier of two levels, and before the later one.
EARLIER = re.compile(
    r"\b(?:from|compared (?:with|to)|as compared (?:with|to)|against|versus|vs\.?|than)"
    r"(?: (?:approximately|about|nearly|roughly|a|an|net|loss|of))*\s*$",
    re.IGNORECASE,
)
LATER = re.compile(
    r"\b(?:to|was|were|of|at|reached|totaled|totalled|amounted to)(?: (?:approximately|about|nearly|roughly))*\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Bounds:
    """Values that the words of a sentence leave open for one of its figures: above low, below high."""

    low: float = 0.0
    high: float = float("inf")

    def hold(self, value: float) -> bool:
        return self.low < value < self.high


def bounds(sentence: Sentence, figure: Amount) -> Bounds:
    """From the words of direction and the figure's counterpart, "from 64.0%" or "to $5 million"; open without them."""
    if not sentence.has_direction:
        return Bounds()
    is_earlier, is_later = _role(sentence.text, figure, EARLIER), _role(sentence.text, figure, LATER)
    if is_earlier == is_later:
        return Bounds()
    counterparts = [
        abs(other.value)
        for other in sentence.amounts
        if other.unit == figure.unit
        and other.start != figure.start
        and _role(sentence.text, other, LATER if is_earlier else EARLIER)
    ]
    if not counterparts:
        return Bounds()
    is_above = sentence.is_up == is_later
    return Bounds(low=max(counterparts)) if is_above else Bounds(high=min(counterparts))


def _role(text: str, amount: Amount, pattern: re.Pattern) -> bool:
    return bool(pattern.search(text[: amount.start]))


def is_derivable(sentence: Sentence, figure: Amount) -> bool:
    """Whether other figures of the sentence give it: as sum or difference, as percentage change, or by one."""
    value, rest = abs(figure.value), [other for other in sentence.amounts if other.start != figure.start]
    levels = [abs(other.value) for other in rest if other.unit == figure.unit]
    shares = [abs(other.value) / 100 for other in rest if other.unit == PERCENT]
    others = [abs(other.value) for other in rest if other.unit != PERCENT]
    given = [abs(one - other) for one in levels for other in levels if one != other]
    given += [one + other for place, one in enumerate(levels) for other in levels[:place]]
    if figure.unit == PERCENT:
        given += [abs(one - other) / other * 100 for one in others for other in others if other and one != other]
    else:
        given += [level * (1 + sign * share) ** power for level in levels for share in shares if share < 1
                  for sign in (1, -1) for power in (1, -1)]  # fmt: skip
    return any(abs(value - other) <= max(0.01 * value, figure.rounding) for other in given)


def form(amount: Amount) -> tuple:
    """How it is written, as far as a reader could tell the odd one out."""
    digits = _DIGITS.search(amount.text)
    whole, _, decimals = digits[0].replace(",", "").partition(".") if digits else ("", "", "")
    return (
        next((scale for scale in reversed(SCALES) if scale in amount.text.lower()), ""),
        "$" in amount.text,
        "," in amount.text,
        len(whole),
        len(decimals),
    )


def distractors(key: Amount, sentence: Sentence, found: Iterable[Sentence]) -> list[str]:
    """Three other figures of the key's form and magnitude that the words leave open, or fewer where there are none.

    Figures of other sentences come first, the nearest in size; made-up ones fill up.
    """
    allowed = bounds(sentence, key)
    taken = list(sentence.amounts)
    offered: list[Amount] = []
    of_text = {
        amount.text: amount
        for other in found
        for amount in other.amounts
        if amount.unit == key.unit and amount.high is None and amount.value
    }
    nearest = sorted(of_text.values(), key=lambda amount: (_ratio(amount, key), draw("choices", amount.text)))
    for amount in [*nearest, *_made(key, allowed, sentence.key)]:
        fits = form(amount) == form(key) and _ratio(amount, key) <= LARGEST_RATIO and allowed.hold(abs(amount.value))
        if fits and not any(is_same(amount, one) for one in taken):
            offered.append(amount)
            taken.append(amount)
    smaller = [amount for amount in offered if abs(amount.value) < abs(key.value)]
    larger = [amount for amount in offered if abs(amount.value) > abs(key.value)]
    wanted = draw("smaller", sentence.key, key.text) % (DISTRACTORS + 1)
    wanted = max(min(wanted, len(smaller)), DISTRACTORS - len(larger))
    return [amount.text for amount in smaller[:wanted] + larger[: DISTRACTORS - wanted]]


def _made(key: Amount, allowed: Bounds, seed: str) -> list[Amount]:
    """Figures in the key's form around it, in an order that the seed decides."""
    digits = _DIGITS.search(key.text)[0]
    number = float(digits.replace(",", ""))
    values = [number * factor for factor in FACTORS]
    scale = abs(key.value) / number if number else 1.0
    for bound in (allowed.low, allowed.high):
        if 0 < bound < float("inf"):
            values += [number + (bound / scale - number) * step for step in STEPS]
    places = len(digits.partition(".")[2])
    texts = []
    for value in sorted(values, key=lambda value: draw("made", seed, round(value, 6))):
        written = f"{value:,.{places}f}" if "," in digits else f"{value:.{places}f}"
        texts.append(key.text.replace(digits, written, 1))
    amounts = [next(iter(read(text).amounts), None) for text in dict.fromkeys(texts)]
    return [amount for amount in amounts if amount is not None and amount.unit == key.unit]


def left_open(statements: Sequence[str], options: Sequence[str]) -> list[int]:
    """Places of the options that a reader of the statement alone cannot exclude; all where none can be.

    statements: the question's statement with each option in its place. What contradicts a word of direction is
    excluded, and so is the figure whose form none of the others shares.
    """
    places = []
    for place, (statement, option) in enumerate(zip(statements, options, strict=True)):
        sentence = read(statement)
        figure = next((amount for amount in sentence.amounts if amount.text == option), None)
        if figure is None or bounds(sentence, figure).hold(abs(figure.value)):
            places.append(place)
    forms = [form(amounts[0]) if (amounts := read(option).amounts) else None for option in options]
    shared = [place for place in places if forms.count(forms[place]) > 1]
    return shared or places or list(range(len(options)))


def _ratio(amount: Amount, key: Amount) -> float:
    low, high = sorted((abs(amount.value), abs(key.value)))
    return high / low if low else float("inf")
