"""Gold items that a sentence enumerates: a second reading of list answers, for prose that surrounds its list.

finrag.text.items reads an answer into items first, which words around a list can spoil. Here the gold items are
looked for: all of them have to stand in one sentence with nothing but separators and articles between them. What comes
before the first has to end in a word that can stand before a list (a preposition, a verb, a colon), not in a comma or
"and", which would follow a further item; what comes after the last has to end the sentence or go on with a function
word. A negation before them, or words that add something, in this sentence or another, and it says no.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from finrag.text.items import mention_of, without_citations
from finrag.text.words import NEGATION, sentences

ARTICLES = r"(?:(?:the|an?|its|our|their|for|in|by|to|from|of)\s+)*"
BETWEEN = re.compile(rf"\s*(?:[,;]|(?:,\s*)?\b(?:and|or|as\swell\sas)\b|,?\s*&)\s*(?:(?:and|or)\s+)?{ARTICLES}", re.I)
# a word, or a colon; a list's further item would end in a comma or in and
BEFORE = re.compile(rf"(?:\w|:|\(|—|–|\s-)\s*{ARTICLES}$", re.I)
COORDINATES = re.compile(
    rf"(?:,|;|&|\b(?:and|or|not|except|than|versus|vs|unlike|excluding|without))\s+{ARTICLES}$", re.I
)
# how a sentence goes on after its list: it ends, or a clause or a phrase follows
AFTER = re.compile(
    r"\W*$"
    r"|\s*[,–—-]?\s(?:which|who|whose|that|each|both|all|respectively|as|while|when|where|because|due|driven|partially"
    r"|partly|primarily|compared|during|to|in|for|at|on|by|under|through|across|from|have|has|had|were|was|are|is|will"
    r"|can|may|designed|used|helped|drove|led|contributed|increased|decreased|rose|fell|grew|declined)\b"
    r"|\s(?:and|or)\sother\stypes\sof\s",
    re.I,
)
NAMED_TOO = re.compile(r"(?:,|\b(?:and|or))\s+(?:the\s)?[A-Z]")
ADDS = re.compile(
    r"\b(?:also|another|others?|additional(?:ly)?|addition|further\w*|plus|besides|too|as\swell(?!\sas)|and\sby)\b",
    re.I,
)


def enumerates(wanted: Sequence[str], answer: str, question: str | None = None) -> bool:
    """Whether one sentence of an answer enumerates two or more wanted items and no others.

    A noun of the question may follow the list ("the Kestrel and Volt brands").
    """
    if len(wanted) < 2:
        return False
    said = sentences(re.sub(r"[\"“”]|\*\*", "", without_citations(answer)))
    nouns = {word.lower() for word in re.findall(r"[A-Za-z]{4,}", question or "")}
    return any(
        is_enumeration(wanted, sentence, nouns) and not any(ADDS.search(other) for other in said if other != sentence)
        for sentence in said
    )


def is_enumeration(wanted: Sequence[str], sentence: str, nouns: set[str]) -> bool:
    marked = sentence
    for place in sorted(range(len(wanted)), key=lambda place: -len(wanted[place])):
        marked = mention_of(wanted[place]).sub(f"\x00{place}\x00", marked)
    pieces = re.split("\x00(\\d+)\x00", marked)
    named, beside = pieces[1::2], pieces[::2]
    while len(named) > len(wanted) and not BETWEEN.fullmatch(beside[1]):
        beside = [beside[0] + named[0] + beside[1], *beside[2:]]  # the company's name is that of a brand
        named = named[1:]
    before, after = beside[0], beside[-1]
    following = re.match(r"\s([a-z]{4,})\b", after)
    if following and following[1] in nouns:
        after = after[following.end() :]
    return (
        sorted(named, key=int) == [str(place) for place in range(len(wanted))]
        and all(BETWEEN.fullmatch(piece) for piece in beside[1:-1])
        and bool(BEFORE.search(before))
        and not COORDINATES.search(before)
        and not (NEGATION.search(before) or ADDS.search(before))
        and bool(AFTER.match(after))
        and not (all(item[:1].isupper() for item in wanted) and NAMED_TOO.search(after))
        and not ADDS.search(re.sub(r"\b(?:and|or)\sother\stypes\sof\b", "", after))
    )
