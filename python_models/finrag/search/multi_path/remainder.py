"""What is left of a question to search for, once its companies, years and items are what the search is filtered by.

A filing seldom names its company or its year where it states something, but its exhibit index, its cover and its
signatures do. So the words that decided the filter only pull such lines to the top.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from finrag.text.vocabulary import HAVE, PLACES, PREPOSITIONS, QUESTIONS, members
from finrag.text.words import LEGAL_FORM

GAP = "\x00"  # stands where a name was
_FORM = r"(?:(?:form )?10-?ks?|annual reports?|filings?)"
_SMALL = rf"(?:{PREPOSITIONS}|{PLACES}|with|and|or|during|than)"
# Names next to each other are one gap, and so are the small words before it and the kind of document after it:
# "in its fiscal 2019 and 2020 10-Ks".
GAPS = re.compile(rf"{GAP}(?:(?: ?(?:,|;|and|or|to|through|&|/|-|–) ?| ){GAP})+", re.I)
AROUND = re.compile(
    rf"(?:\b(?:according to|{_SMALL}) )*(?:\b(?:its|their|the) )?(?:\bfiscal(?: years?)? )?{GAP}"
    rf"(?:,? {LEGAL_FORM})?\.?(?: {_FORM}\b)?",
    re.I,
)
# What only says where to look.
DOCUMENTS = re.compile(
    rf"\b(?:according to|as stated in|as reported in|in|of|from) (?:its|their|the) {_FORM}\b|\b(?:form )?10-ks?\b"
    r"|\b(?:according to|in|of) item \d+[a-c]?\b|\bitem \d+[a-c]?\b",
    re.I,
)
TIDY = (
    (re.compile(r"\(\s*\)"), " "),
    (re.compile(r"\s+"), " "),
    (re.compile(r" (?=[,.;:?])"), ""),
    (re.compile(r"(?:[,;:] ?){2,}"), ", "),
    (re.compile(rf"(?:,? \b{_SMALL})+(?=[,.;:?]|$)", re.I), ""),
    (re.compile(rf"^(?:[ ,;:.]|according to\b|{_SMALL}\b)+", re.I), ""),
)
WORD = re.compile(r"[^\W\d_]{3,}")
# Words of which alone nothing can be searched for.
EMPTY = members(QUESTIONS, HAVE) | frozenset(
    """
    and are did disclose does each for give its name report reported say state stated that the their there this was were
    where whose why with year
    """.split()
)


def remainder(text: str, how: Mapping, columns: Collection[str]) -> str:
    """The question without the words that name what it is filtered by; the question itself where nothing is left.

    how: as in question_entities, the parts of the text that named companies, years and items. columns: those that the
    search filters by (cik, report_year, section_id).
    """
    named = []
    if "cik" in columns:
        named += [mention["text"] for mention in how.get("companies", [])]
    if "report_year" in columns:
        named += how.get("years", [])
    if not named:
        return text
    if "section_id" in columns:
        named += how.get("items", [])
    left = text
    for part in sorted(set(named), key=lambda part: (-len(part), part)):
        left = re.sub(rf"(?<!\w){re.escape(part)}(?!\w)(?:['’]s?(?!\w))?", GAP, left)
    left = AROUND.sub(" ", GAPS.sub(GAP, left))
    left = DOCUMENTS.sub(" ", left)
    for pattern, replacement in TIDY:
        left = pattern.sub(replacement, left)
    left = left.strip(" ,;:.")
    return left if any(word.lower() not in EMPTY for word in WORD.findall(left)) else text
