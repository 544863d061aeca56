"""Gold items that a sentence enumerates: a second reading of list answers, for prose that surrounds its list.

finrag.scoring.items reads an answer into items first, which words around a list can spoil. Here the gold items are
looked for: all of them have to stand in one sentence with nothing but separators and articles between them, after a
word that introduces (such as, including, by, a colon) and before a word that goes on with something else. A further
item before, between or after them, a negation before them, or another sentence that adds any, and it says no.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from finrag.scoring.items import mention_of, without_citations
from finrag.scoring.text import NEGATION, sentences

ARTICLES = r"(?:(?:the|an?|its|our|their|strong|cross-functional|for|in|by|to)\s+)*"
BETWEEN = re.compile(
    rf"(?:\s+comprised\sof\s[^,;]*)?\s*(?:[,;]|(?:,\s*)?\b(?:and|or|as\swell\sas)\b|,?\s*&)\s*{ARTICLES}", re.I
)
BEFORE = re.compile(
    r"(?<!\band )(?::|\b(?:such\sas|including|includes?|namely|investments\sin|issuances\sin|revenue\sfrom"
    r"|millions\sof|having|reports?|operates?))\s+" + ARTICLES + "$",
    re.I,
)
AFTER = re.compile(
    r"\W*$|,?\s(?:have|has|had)\s|\s(?:and|or)\sother\stypes\sof\s[^,;]*$|\s(?:designed\sto|to\sfund)\s[^,;]*(?:,\s(?:partially|partly)\soffset\s.*)?$"
    r"|\sbrands,\s(?:increased|decreased|rose|fell|grew|declined)\s[^,;]*$",
    re.I,
)
ADDS = re.compile(r"\b(?:also|another|others?|additional(?:ly)?|addition|further\w*|plus|besides|too|and\sby)\b", re.I)


def enumerates(wanted: Sequence[str], answer: str) -> bool:
    """Whether one sentence of an answer enumerates two or more wanted items and no others."""
    if len(wanted) < 2:
        return False
    said = sentences(re.sub(r"[\"“”]|\*\*", "", without_citations(answer)))
    return any(
        is_enumeration(wanted, sentence) and not any(ADDS.search(other) for other in said if other != sentence)
        for sentence in said
    )


def is_enumeration(wanted: Sequence[str], sentence: str) -> bool:
    marked = sentence
    for place in sorted(range(len(wanted)), key=lambda place: -len(wanted[place])):
        marked = mention_of(wanted[place]).sub(f"\x00{place}\x00", marked)
    pieces = re.split("\x00(\\d+)\x00", marked)
    named, beside = pieces[1::2], pieces[::2]
    while len(named) > len(wanted) and not BETWEEN.fullmatch(beside[1]):
        beside = [beside[0] + named[0] + beside[1], *beside[2:]]  # the company's name is that of a brand
        named = named[1:]
    return (
        sorted(named, key=int) == [str(place) for place in range(len(wanted))]
        and all(BETWEEN.fullmatch(piece) for piece in beside[1:-1])
        and bool(BEFORE.search(beside[0]))
        and not (NEGATION.search(beside[0]) or ADDS.search(beside[0]))
        and bool(AFTER.match(beside[-1]))
    )
