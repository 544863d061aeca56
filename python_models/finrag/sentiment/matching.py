"""The label that a free-text reply gives, by three rules that are all reported.

A reply is read in its answer section: what follows the last "Final answer:", or else the first "Answer:", or all of it
where the reply has none (a model that continues a prompt ending in "Answer:" does not repeat the word), up to the first
"Explanation:" after that. Where it opens with its explanation, what follows the first line below that begins with
"Sentiment:" or "Label:".

exact          the section is one of the labels, character for character, once the white space around it is gone
first_mention  the label that the section mentions first, as a whole word, in any case; _ is no part of a word
choice_order   the first label in the list of choices that the section mentions anywhere; the rule of the published
               benchmark. It reads "positive, not negative" as negative where negative comes first in the list

None of them understands: "not positive" is read as positive. A reply that mentions no label is missing: it counts as
wrong and is never left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from finrag.text.replies import answer_of, without_thoughts

RULES = ("exact", "first_mention", "choice_order")
CLASSES = ("negative", "positive", "neutral")
"""The labels, in the order of the published benchmark's list of choices."""

_ANSWER = re.compile(r"answer:", re.IGNORECASE)
_FINAL_ANSWER = re.compile(r"final\s+answer\**:", re.IGNORECASE)
_EXPLANATION = re.compile(r"explanation:", re.IGNORECASE)
_LABEL = re.compile(r"^\W*(?:sentiment|label)\**:", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True)
class Reading:
    """What one reply says. A label is None where the rule finds none."""

    section: str
    exact: str | None
    first_mention: str | None
    choice_order: str | None


def answer_section(reply: str) -> str:
    """The part of a reply that is read for a label: what its answer tags or its box hold, and none of the thoughts."""
    reply = answer_of(without_thoughts(reply))
    *_, opening = (_ANSWER.search(reply), *_FINAL_ANSWER.finditer(reply))
    section = reply[opening.end() :] if opening else reply
    closing = _EXPLANATION.search(section)
    if closing and not re.search(r"\w", section[: closing.start()]):
        label = _LABEL.search(section, closing.end())
        return section[label.end() :].strip() if label else ""
    return (section[: closing.start()] if closing else section).strip()


def read_label(reply: str, choices: Sequence[str]) -> Reading:
    """The label of a reply by every rule. choices: the labels, in the order in which they were offered."""
    section = answer_section(reply)
    mentions = {}
    for choice in choices:
        found = _whole_word(choice).search(section)
        if found:
            mentions[choice] = found.start()
    return Reading(
        section=section,
        exact=section if section in choices else None,
        first_mention=min(mentions, key=mentions.__getitem__) if mentions else None,
        choice_order=next(iter(mentions), None),
    )


@cache
def _whole_word(label: str) -> re.Pattern:
    return re.compile(rf"(?<![^\W_]){re.escape(label)}(?![^\W_])", re.IGNORECASE)


def read_replies(replies):
    """Arrow table with reply_key, answer_section and a label per rule; one row per distinct reply and list of choices.

    replies: relation with reply_key, raw_text and choices.
    """
    import pyarrow

    rows = replies.project("reply_key, raw_text, choices").distinct().order("reply_key").fetchall()
    read = [(key, read_label(text or "", choices)) for key, text, choices in rows]
    text = pyarrow.string()
    return pyarrow.table(
        {
            "reply_key": pyarrow.array([key for key, _ in read], text),
            "answer_section": pyarrow.array([reading.section for _, reading in read], text),
            **{f"label_{rule}": pyarrow.array([getattr(found, rule) for _, found in read], text) for rule in RULES},
        }
    )
