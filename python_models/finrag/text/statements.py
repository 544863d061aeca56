"""A text as sentences, each with what can be asked about: amounts, years and directions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from finrag.text.amounts import DURATIONS, NUMBER, Amount, parse_amounts
from finrag.text.words import content_words, normalised, sentences
from finrag.text.years import YEAR_DIGITS

# Each pair means the opposite of the other; a sentence whose directions all go one way can be turned round.
OPPOSITES = (
    ("increase", "decrease"),
    ("increases", "decreases"),
    ("increased", "decreased"),
    ("increasing", "decreasing"),
    ("rise", "fall"),
    ("rises", "falls"),
    ("rose", "fell"),
    ("rising", "falling"),
    ("grew", "shrank"),
    ("grew", "declined"),
    ("grow", "decline"),
    ("growth", "decline"),
    ("higher", "lower"),
    ("improved", "deteriorated"),
    ("improved", "worsened"),
    ("improve", "worsen"),
    ("improvement", "deterioration"),
    ("improving", "deteriorating"),
    ("favorable", "unfavorable"),
    ("favorably", "unfavorably"),
    ("strengthened", "weakened"),
    ("expanded", "contracted"),
    ("climbed", "dropped"),
)
UP = frozenset(up for up, _ in OPPOSITES) | {"grows", "growing", "improves", "gain", "gains", "gained"}
DOWN = frozenset(down for _, down in OPPOSITES) | frozenset(
    "declines declining drop drops reduced reduce reduces reduction loss losses lost".split()
)
# "up 5%" and "down by $3 million"; not "sign-up", "made up of" or "break down"
UP_OR_DOWN = re.compile(
    r"\b(?<!-)(up|down)\b(?=\s+(?:by\s+|approximately\s+|about\s+|over\s+|nearly\s+)?[$€£]?\d)", re.IGNORECASE
)
YEAR = re.compile(rf"(?<![\w$€£.,]){YEAR_DIGITS}(?![\w%]|[.,]\d)")
_SET_OFF = re.compile(r"(?<=\s[.!?])\s+")
_WORD = re.compile(r"[a-z]+")


@dataclass(frozen=True)
class Sentence:
    """One sentence. key: its normalised text. is_up, is_down: whether it has words of that direction."""

    text: str
    key: str
    word_count: int
    amounts: tuple[Amount, ...]
    years: frozenset[str]
    is_up: bool
    is_down: bool

    @property
    def has_direction(self) -> bool:
        return self.is_up != self.is_down


@lru_cache(maxsize=64)
def split(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text in order. Lines are sentences of their own."""
    return tuple(read(sentence) for sentence in texts_of(text))


@lru_cache(maxsize=64)
def texts_of(text: str) -> tuple[str, ...]:
    """The sentences as texts. Summaries that systems wrote in lower case set a full stop off by spaces: " . "."""
    found = sentences(text or "")
    return tuple(part for one in found for part in _SET_OFF.split(one)) if is_lower(text) else tuple(found)


def is_lower(text: str) -> bool:
    """Whether a text has no capital, so that none can mark where a sentence begins."""
    return text == text.lower()


@lru_cache(maxsize=100_000)
def read(text: str) -> Sentence:
    words = set(_WORD.findall(text.lower())) - {"up", "down"} | {word.lower() for word in UP_OR_DOWN.findall(text)}
    return Sentence(
        text=text,
        key=normalised(text),
        word_count=len(content_words(text)),
        amounts=tuple(amount for amount in parse_amounts(text) if is_figure(amount)),
        years=frozenset(YEAR.findall(text)),
        is_up="up" in words or not UP.isdisjoint(words),
        is_down="down" in words or not DOWN.isdisjoint(words),
    )


def is_figure(amount: Amount) -> bool:
    """Whether the number is a figure: with a unit or a scale, or of two digits, and no length of time."""
    if amount.unit in DURATIONS or set(amount.text) & set("()"):
        return False
    return amount.unit != NUMBER or not amount.is_bare or abs(amount.value) >= 10


def is_central(amount: Amount, text: str) -> bool:
    """Whether the amount stands outside of brackets."""
    before = text[: amount.start]
    return before.count("(") == before.count(")")


def is_same(one: Amount, other: Amount) -> bool:
    """Whether two amounts agree within what the coarser one's digits say, whatever their signs."""
    if one.unit != other.unit and NUMBER not in (one.unit, other.unit):
        return False
    mine, theirs = abs(one.value), abs(other.value)
    return abs(mine - theirs) <= max(one.rounding, other.rounding) + 1e-9 * max(mine, theirs)
