"""A text as sentences, each with what can be compared: words, amounts, years, directions, negations and names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from finrag.scoring.numbers import NUMBER, Amount, clean, parse_amounts
from finrag.scoring.text import STOP_WORDS, normalised, sentences

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
    ("growth", "decline"),
    ("grow", "decline"),
    ("grew", "declined"),
    ("higher", "lower"),
    ("improved", "worsened"),
    ("improve", "worsen"),
    ("improvement", "deterioration"),
    ("improving", "deteriorating"),
    ("improved", "deteriorated"),
    ("favorable", "unfavorable"),
    ("favorably", "unfavorably"),
    ("stronger", "weaker"),
    ("strengthened", "weakened"),
    ("gained", "lost"),
    ("expanded", "contracted"),
    ("climbed", "dropped"),
    ("strong", "weak"),
)
UP = frozenset(up for up, _ in OPPOSITES) | {"grows", "growing", "improves", "up"}
DOWN = frozenset(down for _, down in OPPOSITES) | {"declines", "declining", "drop", "drops", "reduced", "down"}
NEGATION = re.compile(r"\b(?:not|no|never|neither|nor|without|cannot|none)\b|n['’]t\b", re.IGNORECASE)
YEAR = re.compile(r"(?<![\w$€£.,])(?:19|20)\d\d(?![\w%]|[.,]\d)")
# Capitalised words that name nobody: they begin clauses, count time or head parts of a report.
NO_NAMES = frozenset(
    """
    january february march april may june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday company companies item items note notes part form fiscal year years quarter table
    annual report risk factors management discussion analysis consolidated financial statements statement the our we
    i a an in on at for of as and or to see total net inc corp corporation ltd llc plc co group holdings us u.s
    """.split()
)
_WORD = re.compile(r"[a-z]+(?:['’-][a-z]+)*")
_ENDINGS = re.compile(r"(?:ations?|ings?|ments?|ed|es|s|ly|e)$")
_NAME = re.compile(r"\b[A-Z][A-Za-z&'’.-]*[A-Za-z]\b|\b[A-Z]{2,}\b")


@dataclass(frozen=True)
class Sentence:
    """One sentence. terms: stems of its content words; names: lowercase capitalised words other than the first."""

    text: str
    key: str
    terms: frozenset[str]
    amounts: tuple[Amount, ...]
    years: frozenset[str]
    is_up: bool
    is_down: bool
    is_negated: bool
    names: frozenset[str]


@lru_cache(maxsize=64)
def split(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text in order. Lines are sentences of their own."""
    return tuple(read(sentence) for sentence in sentences(text or ""))


@lru_cache(maxsize=100_000)
def read(text: str) -> Sentence:
    words = _WORD.findall(text.lower().replace("’", "'"))
    return Sentence(
        text=text,
        key=normalised(text),
        terms=frozenset(terms(words)),
        amounts=tuple(amount for amount in parse_amounts(text) if is_figure(amount)),
        years=frozenset(YEAR.findall(text)),
        is_up=not UP.isdisjoint(words),
        is_down=not DOWN.isdisjoint(words),
        is_negated=bool(NEGATION.search(text)),
        names=names(text),
    )


def terms(words: list[str]) -> set[str]:
    """Stems of content words; directions are compared by themselves."""
    return {
        stem(word.removesuffix("'s"))
        for word in words
        if len(word) > 2 and word not in STOP_WORDS and word not in UP and word not in DOWN
    }


def stem(word: str) -> str:
    return _ENDINGS.sub("", word) if len(word) > 4 else word


def is_figure(amount: Amount) -> bool:
    """Whether the number says something: it has a unit or a scale, or at least two digits."""
    return amount.unit != NUMBER or not amount.is_bare or abs(amount.value) >= 10


def names(text: str) -> frozenset[str]:
    """Lowercase capitalised words, without the first of the text unless another name follows it."""
    found = list(_NAME.finditer(clean(text)))
    if found and found[0].start() <= 1:
        follows = len(found) > 1 and found[1].start() - found[0].end() <= 1
        found = found if follows else found[1:]
    words = {match[0].lower().rstrip(".").removesuffix("'s") for match in found}
    return frozenset(word for word in words if word not in NO_NAMES and len(word) > 1)
