"""Whether of two texts one says that something rose and the other that it fell, thing by thing: "Lower prices due to
higher discounts" and "Higher prices due to lower discounts", which have the same words.
"""

from __future__ import annotations

import re
from functools import lru_cache

from finrag.text.stems import stem
from finrag.text.words import FALL, RISE, content_words

# Between what is said of one thing and of the next.
JOINT = re.compile(
    r"[,;:.()\n]\s|\s(?:due to|because of|as a result of|(?:(?:driven|caused|led|offset) )?by|attributable to|despite"
    r"|in spite of|resulting from|from|on|and|but|while|which|led to|partially|partly|mainly|primarily"
    r"|offset(?:s|ting)?)(?=\s)",
    re.I,
)
MORE = re.compile(r"(?:\b(?:more|greater|rising|additional|hikes?|growing)|^new)\b(?! than)", re.I)
LESS = re.compile(r"\b(?:less|fewer|falling|weaker|cuts?)\b(?! than)", re.I)
LEAST_SHARED = 0.5  # of the words of a thing, from which another text speaks of it too


def rises_and_falls(text: str) -> tuple[bool, bool]:
    """Whether something in a text rose, and whether something fell."""
    return bool(RISE.search(text) or MORE.search(text)), bool(FALL.search(text) or LESS.search(text))


@lru_cache(maxsize=4096)
def parts(text: str) -> tuple[tuple[frozenset[str], int], ...]:
    """The words of each thing and whether it rose (1), fell (-1), or neither or both (0)."""
    found = []
    for part in JOINT.split(text):
        rises, falls = rises_and_falls(part)
        words = {
            word for word in content_words(part) if not any(each.search(word) for each in (RISE, FALL, MORE, LESS))
        }
        if words:
            found.append((frozenset(stem(word) for word in words), rises - falls))
    return tuple(found)


def turned_round(one: str, other: str) -> bool:
    """Whether a thing that rose in one text fell in the other. Of one thing alone this says nothing."""
    mine, theirs = parts(one), parts(other)
    if len(mine) < 2 or len(theirs) < 2:
        return False
    return any(sign and of_thing(words, theirs) == -sign for words, sign in mine)


def of_thing(words: frozenset[str], said: tuple[tuple[frozenset[str], int], ...]) -> int:
    """What is said of a thing where most of its words are; 0 where it is not named, or in several ways."""
    shared = [len(words & theirs) for theirs, _ in said]
    most = max(shared)
    signs = {sign for (_, sign), count in zip(said, shared, strict=True) if count == most}
    return signs.pop() if most >= LEAST_SHARED * len(words) and len(signs) == 1 else 0
