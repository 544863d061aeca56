"""A text as claims: its sentences and lines, and the parts that a semicolon, a bullet or a spaced period separates.

Claims are cut by rules, not by the judge, so that every judge rules on the same ones and none can leave one out. A
sentence that says two things is one claim: it is true only if both are.

No claims are a bare "Yes.", also before the sentence that says why ("No. Revenue rose."), headings, pleasantries, what
is said of the summary itself, that there is none, lines that lead in to a list, and citations such as [1] or
[WMT, FY 2019, Item 7], which are cut out of the claim that they follow; metrics.answer_items says whether citations
hold. A row of a table is a claim with the headers of its columns, and of a reply in JSON its strings are read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from finrag.text.directions import FELL, ROSE
from finrag.text.items import rows_in_words
from finrag.text.plain_text import without_long_runs
from finrag.text.replies import answer_of, without_cited, without_thoughts
from finrag.text.words import sentences, unfenced

# Tokenised text, as many summarisers write, has a space before the period and often no capital after it.
PART = re.compile(r";\s+|(?<=\s)[.!?]\s+|\s*[•●▪]\s*")
# Strings of so many words in a reply in JSON are prose, not ids, units or labels.
PROSE_WORDS = 3
# At most so many words, most of them capitalised, without a figure and without an end, are a heading.
HEADING_WORDS = 12
ITEM = re.compile(r"\bitem\s\d+[a-c]?\b", re.IGNORECASE)
NO_CLAIM = re.compile(r"[\W_]*(?:yes|no)?[\W_]*", re.IGNORECASE)
# "No. 3" is a number.
BARE_ANSWER = re.compile(r"[\W_]*(?:yes|no)(?:\s*[.,;:!]\W*\s|\s+[-–—]+\s+)(?=\S)(?!\d)", re.IGNORECASE)

# A line that is marked as a heading, without a figure and without an end.
MARKED_HEADING = re.compile(
    r"^[ \t]*(?:#{1,6} [^\n\d]*[^\n\d.!?]|(?P<mark>\*\*|__)[^\n\d*_]*[^\n\d*_.!?](?P=mark))[ \t]*$", re.M
)
# In a line of capitalised words these say what happened: "Net Sales Declined Sharply", not "Impact of Reduced Demand".
SAYS_CHANGE = re.compile(rf"\w\s+(?:{ROSE}|{FELL})(?:\s+(?:\w+ly|by|to|in|from|due|because|as)\b|\W*$)", re.IGNORECASE)
PLEASANTRY = re.compile(
    r"\W*(?:sure|certainly|of course|absolutely)\W*"
    r"|\W*(?:here(?:['’]s|\sis|\sare)|below\s(?:is|are))\s[^\d.!?]{0,60}\b(?:summary|overview|answer|points)\b[^\d.!?]{0,60}[.!:]?"
    r"|\W*(?:(?:note|disclaimer|in\s(?:conclusion|summary)|overall)\W+)?this\s(?:summary|overview)\s"
    r"(?:highlights|covers|captures|provides|outlines|reflects|is\s(?:based|intended|meant|for)\b)[^\d.!?]{0,160}[.!]?"
    r"|\W*(?:i['’]m\ssorry\W+(?:but\s)?)?i\s(?:can['’]?t|cannot|am\sunable\sto|could\snot|couldn['’]t)\s[^.!?]{0,40}"
    r"\bsummari[sz]e\b[^.!?]{0,160}[.!]?"
    r"|\W*(?:i\shope\sthis|(?:please\s)?let\sme\sknow\sif|feel\sfree\sto)\b[^\d.!?]{0,100}[.!]?",
    re.IGNORECASE,
)


def split_claims(summary: str | None) -> list[str]:
    """The claims of a text in order; none of a blank one."""
    text = without_cited(prose_of(answer_of(without_thoughts(without_long_runs(summary or "")))))
    text = rows_in_words(MARKED_HEADING.sub(kept_heading, text))
    if answer := BARE_ANSWER.match(text):
        text = text[answer.end() :]
    parts = (part.strip() for sentence in sentences(text) for part in PART.split(sentence))
    return [part for part in parts if not (NO_CLAIM.fullmatch(part) or PLEASANTRY.fullmatch(part) or is_heading(part))]


def prose_of(text: str) -> str:
    """The strings of PROSE_WORDS and more of a reply in JSON, fenced or not, a line each; other texts as they are."""
    body = unfenced(text).strip()
    if not body.startswith(("{", "[")):
        return text
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        return text
    return "\n".join(each for each in strings_of(said) if len(each.split()) >= PROSE_WORDS) or text


def strings_of(said: object) -> Iterator[str]:
    """The strings of parsed JSON, however deep, in order."""
    waiting = [said]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            yield each
        elif isinstance(each, dict | list):
            waiting += reversed(each.values() if isinstance(each, dict) else each)


def kept_heading(heading: re.Match) -> str:
    """A marked heading where it says what happened, else nothing."""
    return heading[0] if SAYS_CHANGE.search(heading[0]) else ""


def is_heading(part: str) -> bool:
    """Whether a part is a heading or leads in to a list."""
    bare = part.rstrip('"”’)* ')
    if bare.endswith(":"):
        return True
    if SAYS_CHANGE.search(part):
        return False
    words = [word for word in re.findall(r"[^\W\d_][\w’'-]*", part) if len(word) > 3]
    capitalised = sum(word[0].isupper() for word in words)
    return (
        not bare.endswith((".", "!", "?", ",", "%"))
        and not re.search(r"\d", ITEM.sub("", part))
        and len(words) <= HEADING_WORDS
        and capitalised > 0.6 * len(words) > 0
        and len(words) > 1
    )
