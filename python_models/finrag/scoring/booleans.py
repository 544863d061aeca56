"""Yes and no: read from an answer's text or field, and compared with the gold answer."""

from __future__ import annotations

import re
from dataclasses import dataclass

from finrag.scoring.abstention import abstention
from finrag.scoring.text import sentences

HEADING = re.compile(r"^#+ .*$", re.M)
QUOTES = " \"'“”"
LEADING_YES = re.compile(
    r"^(?:yes|yeah|true|correct|affirmative|indeed|certainly|absolutely)\b(?!\s+and\s+no\b)(?![-/]|\s*/)", re.I
)
LEADING_NO = re.compile(
    r"^(?:no(?=\s*(?:[,.;:!—–-]|$|\s(?:the|it|they|there is no|this)\b))|nope|false|incorrect|negative(?=[,.]|$)"
    r"|not\s(?:explicitly|directly|exactly|really|at all))(?!\.?\s*\d)",
    re.I,
)
LABEL = re.compile(r"^(?:(?:short|direct|final)?\s*answer|verdict|response|conclusion)\s*[:\-–—]\s*", re.I)
# Only the first sentence decides, and only where it answers with the question's own auxiliary.
DENIAL = re.compile(
    r"\b(?:does|do|did|is|are|was|were|has|have|had|can|could)(?:\s+not|n['’]t)\b(?!\s+(?:only|just|merely|necessarily))"
    r"|\b(?:never|at no point)\b|\bthere (?:is|was|are|were) no (?:explicit|direct)\b|\bno explicit\b",
    re.I,
)
ASSERTION = re.compile(
    r"\b(?:does|do|did)\s+(?:indeed\s+|so\b|explicitly\s+|directly\s+|in fact\s+)"
    r"|\bexplicitly\s+(?:attribut|stat|confirm|identif|disclos|link|ti)\w+"
    r"|\b(?:that|this|it) is (?:correct|true|right)\b",
    re.I,
)
UNDECIDED = re.compile(
    r"^(?:yes and no|partially|partly|in part|mixed|unclear|it depends|maybe|possibly|perhaps)\b", re.I
)


@dataclass(frozen=True)
class BooleanMatch:
    """verdict: matched, unmatched or no_answer; stated is what the answer says, None if neither."""

    verdict: str
    stated: bool | None
    reason: str


def parse_boolean(answer: str | bool | None) -> tuple[bool | None, str]:
    """True for yes, False for no, None for neither; and what decided.

    A leading yes or no (after markup or "Answer:") decides. Otherwise the first sentence may deny ("does not
    attribute") or assert ("explicitly attributes"). An answer that abstains says neither, nor does "partially".
    """
    if isinstance(answer, bool) or answer is None:
        return answer, "field" if isinstance(answer, bool) else "empty"
    found = sentences(HEADING.sub("", answer))
    if not found:
        return None, "empty"
    first = LABEL.sub("", found[0].strip(QUOTES)).strip(QUOTES)
    if UNDECIDED.search(first) or re.match(r"yes\s+and\s+no\b|yes\s*/\s*no\b", first, re.I):
        return None, "undecided"
    if LEADING_YES.search(first):
        return True, "leading"
    if LEADING_NO.search(first):
        return False, "leading"
    if abstention(answer).kind != "none":
        return None, "abstains"
    if DENIAL.search(first):
        return False, "denial"
    if ASSERTION.search(first):
        return True, "assertion"
    return None, "neither"


def boolean_match(gold: str | bool, answer: str | bool | None) -> BooleanMatch:
    """Compare yes and no. A gold answer that says neither leaves the verdict no_answer with the reason gold_unclear."""
    expected, _ = parse_boolean(gold)
    stated, reason = parse_boolean(answer)
    if expected is None:
        return BooleanMatch("no_answer", stated, "gold_unclear")
    if stated is None:
        return BooleanMatch("no_answer", None, reason)
    return BooleanMatch("matched" if stated == expected else "unmatched", stated, reason)
