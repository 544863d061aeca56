"""Yes and no: an answer's text or field compared with the gold answer."""

from __future__ import annotations

from dataclasses import dataclass

from finrag.text.yes_no import parse_boolean


@dataclass(frozen=True)
class BooleanMatch:
    """verdict: matched, unmatched or no_answer; stated is what the answer says, None if neither."""

    verdict: str
    stated: bool | None
    reason: str


def boolean_match(gold: str | bool, answer: str | bool | None, question: str | None = None) -> BooleanMatch:
    """Compare yes and no. A gold answer that says neither leaves the verdict no_answer with the reason gold_unclear."""
    expected, _ = parse_boolean(gold)
    stated, reason = parse_boolean(answer, question)
    if expected is None:
        return BooleanMatch("no_answer", stated, "gold_unclear")
    if stated is None:
        return BooleanMatch("no_answer", None, reason)
    return BooleanMatch("matched" if stated == expected else "unmatched", stated, reason)
