"""A text as claims: its sentences and lines, and the parts that a semicolon, a bullet or a spaced period separates.

Claims are cut by rules, not by the judge, so that every judge rules on the same ones and none can leave one out. A
sentence that says two things is one claim: it is true only if both are.

No claims are a bare "Yes.", also before the sentence that says why ("No. Revenue rose."), headings, lines that lead in
to a list, and citations such as [1] or [WMT, FY 2019, Item 7], which are cut out of the claim that they follow;
metrics.answer_items says whether citations hold.
"""

from __future__ import annotations

import re

from finrag.text.plain_text import without_long_runs
from finrag.text.words import sentences

# Tokenised text, as many summarisers write, has a space before the period and often no capital after it.
PART = re.compile(r";\s+|(?<=\s)[.!?]\s+|\s*[•●▪]\s*")
CITATION = re.compile(
    r"\s*\[(?:\d+(?:\s*[,–-]\s*\d+)*|[^\]\[]*\b(?:FY|Item|section)\b[^\]\[]*|[^\]\[]*\d{10}_[^\]\[]*)\]", re.IGNORECASE
)
# At most so many words, most of them capitalised, without a figure and without an end, are a heading.
HEADING_WORDS = 12
ITEM = re.compile(r"\bitem\s\d+[a-c]?\b", re.IGNORECASE)
NO_CLAIM = re.compile(r"[\W_]*(?:yes|no)?[\W_]*", re.IGNORECASE)
# "No. 3" is a number.
BARE_ANSWER = re.compile(r"[\W_]*(?:yes|no)(?:\s*[.,;:!]\W*\s|\s+[-–—]+\s+)(?=\S)(?!\d)", re.IGNORECASE)


def split_claims(summary: str | None) -> list[str]:
    """The claims of a text in order; none of a blank one."""
    text = CITATION.sub("", without_long_runs(summary or ""))
    if answer := BARE_ANSWER.match(text):
        text = text[answer.end() :]
    parts = (part.strip() for sentence in sentences(text) for part in PART.split(sentence))
    return [part for part in parts if not NO_CLAIM.fullmatch(part) and not is_heading(part)]


def is_heading(part: str) -> bool:
    """Whether a part is a heading or leads in to a list."""
    bare = part.rstrip('"”’)* ')
    if bare.endswith(":"):
        return True
    words = [word for word in re.findall(r"[^\W\d_][\w’'-]*", part) if len(word) > 3]
    capitalised = sum(word[0].isupper() for word in words)
    return (
        not bare.endswith((".", "!", "?", ",", "%"))
        and not re.search(r"\d", ITEM.sub("", part))
        and len(words) <= HEADING_WORDS
        and capitalised > 0.6 * len(words) > 0
        and len(words) > 1
    )
