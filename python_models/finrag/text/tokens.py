"""Texts as tokens that can be compared: words, stems, numbers, and the words that turn a statement round."""

from __future__ import annotations

import re
from collections.abc import Sequence

from finrag.text.directions import FALLS, RISES
from finrag.text.plain_text import WORD_VALUES, clean
from finrag.text.stems import root
from finrag.text.vocabulary import COMMON, FREQUENT, NEGATIONS, ORDINALS, PARTS, PERSONS, POSSESSIVES, TIMES, members
from finrag.text.years import YEAR_DIGITS

TOKEN = re.compile(
    r"\((?=\s?[$€£]?\s?\d)|(?<![\w)])-(?=[$€£]?\d)|\d[\d,]*(?:\.\d+)?|[^\W\d_]+(?:['’][^\W\d_]+)?|[%$€£]"
)
CAPITALISED = re.compile(r"[A-Z][\w&’'.-]*")
RISE = re.compile(rf"(?:{RISES}|rais|climb|jump|surg|exceed|more$|above$|strengthen|accelerat|profit|favorabl)")
FALL = re.compile(
    rf"(?:{FALLS}|los(?:s|ses|t)$|shr[aiu]nk|slump|less$|below$|weaken|decelerat|deficit|unfavorabl|worsen|deteriorat"
    r"|fewer$)"
)
NEGATION = members(NEGATIONS) | {"not", "hardly"}
# What is possible, planned or conditional is no fact.
MODAL = re.compile(r"(?:might|could|would|if|unless|expect\w*|anticipat\w*|intend\w*|potential\w*|possibl[ey])$")
NUMBER_WORDS = frozenset(WORD_VALUES) - {"zero", "one"} | members(
    ORDINALS, "sixth|seventh|eighth|ninth|tenth|half|double|triple|twice"
)
STOP = (
    COMMON
    | FREQUENT
    | members(TIMES, PERSONS, PARTS, POSSESSIVES)
    | frozenset(
        """
    being can corporation further her his however inc own same so some such then there through too us very we where
    whose will within you your compared respectively approximately s
    """.split()
    )
)
# Capitalised, but no name of anybody.
NO_NAMES = frozenset("fy md&a gaap non-gaap item form section part note notes risk factors u.s i ceo cfo eps".split())
UP, DOWN = "<rise>", "<fall>"
# "More than $5 million", "more than offset", but "more than 2020" is a rise.
LIMIT = re.compile(rf"than (?:offset|[$€£] |(?!{YEAR_DIGITS}\b)\d)")
# What rises or falls itself: a loss is no fall, though it is the opposite of a gain.
LEVEL = re.compile(r"(?:loss(?:es)?|deficits?|profits?)$")


def tokens(text: str) -> list[str]:
    """Words in lower case, numbers without separators, signs of units, and what makes a number negative."""
    return [token.lower().replace(",", "").replace("’", "'") for token in TOKEN.findall(clean(text))]


def direction(token: str) -> str | None:
    if RISE.match(token):
        return UP
    return DOWN if FALL.match(token) else None


def directions(words: Sequence[str]) -> list[tuple[int, str]]:
    """(place, rise or fall) of the words that say which; up and down do where a number stands near after them. A
    limit is neither, and a loss or a profit is a level."""
    found = []
    for place, token in enumerate(words):
        is_none = LEVEL.match(token) or LIMIT.match(" ".join(words[place + 1 : place + 4]))
        turn = None if is_none else direction(token)
        if token in ("up", "down") and any(map(is_number, words[place + 1 : place + 5])):
            turn = UP if token == "up" else DOWN
        if turn:
            found.append((place, turn))
    return found


def is_negation(token: str) -> bool:
    return token in NEGATION or token.endswith("n't")


def is_number(token: str) -> bool:
    return token[0].isdigit()


def key(token: str) -> str | None:
    """What a token is compared by; None for words that carry no content, signs and numbers."""
    if not token[0].isalpha() or token in STOP or is_negation(token):
        return None
    return (None if LEVEL.match(token) else direction(token)) or root(token.removesuffix("'s"))
