"""The baselines that write: statements, closed questions and choices from sentences of the text, by rules.

A true statement is a sentence of the text; a false one is such a sentence with one change (``finrag.quizzes.changes``),
which is recorded. Half are true, half false. Nothing depends on anything but the text, the company's name and the
number asked for, so every reader of a text faces the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from finrag.quizzes.changes import OTHER_NAMES, Change, changes, draw
from finrag.quizzes.choices import DISTRACTORS, distractors, is_derivable
from finrag.quizzes.picking import askable, is_checkable, spread
from finrag.quizzes.reading import BLANK
from finrag.text.amounts import NUMBER, Amount
from finrag.text.statements import Sentence, is_central, split
from finrag.text.words import STOP_WORDS


@dataclass(frozen=True)
class Statement:
    """text is true of the source sentence evidence unless change is set."""

    text: str
    evidence: str
    change: Change | None


def statements(text: str, count: int, company: str | None, seed: str) -> list[Statement]:
    """Up to count statements, half of them false; a hash decides which kind the odd one is, and which are false."""
    found = split(text)
    stated = [amount for sentence in found for amount in sentence.amounts]
    picked = spread(askable(text, count), count, seed)
    years = {year for sentence in found for year in sentence.years}
    options = {sentence.key: changes(sentence, stated, years, company, seed) for sentence in picked}
    wanted = len(picked) // 2 + (len(picked) % 2) * (draw(seed, text) % 2)
    changeable = [sentence.key for sentence in picked if options[sentence.key]]
    false = set(sorted(changeable, key=lambda key: draw(seed, "false", key))[:wanted])
    written = []
    used: dict[str, int] = {}
    for sentence in picked:
        text_of = " ".join(sentence.text.split())
        if sentence.key not in false:
            written.append(Statement(text_of, text_of, None))
            continue
        # of the changes that the sentence allows, the kind that the set has least of
        change = min(options[sentence.key], key=lambda one: used.get(one.kind, 0))
        used[change.kind] = used.get(change.kind, 0) + 1
        written.append(Statement(" ".join(change.text.split()), text_of, change))
    return written


def write_statements(inputs: dict) -> list[dict]:
    """Fields of the statements; inputs: text, count, company_name."""
    return [
        {
            "statement": one.text,
            "is_true": one.change is None,
            "evidence_quote": one.evidence,
            "change": one.change.described if one.change else None,
        }
        for one in statements(inputs["text"], inputs["count"], inputs.get("company_name"), "statements")
    ]


def write_closed_questions(inputs: dict) -> list[dict]:
    """Fields of the questions, whose answer is yes for a statement left as it is; inputs: text, count, company_name."""
    return [
        {
            "question": f"Does the text say that {_inside(one.text, inputs)}?",
            "answer": "no" if one.change else "yes",
            "evidence_quote": one.evidence,
        }
        for one in statements(inputs["text"], inputs["count"], inputs.get("company_name"), "closed questions")
    ]


def _inside(statement: str, inputs: dict) -> str:
    """A statement as part of a sentence: no full stop, and no capital that only its place gave it."""
    line = statement.rstrip().rstrip(".")
    first = line.split(" ", 1)[0]
    is_name = re.search(rf"[a-z,] {re.escape(first)}\b", inputs["text"]) or first in " ".join(
        (inputs.get("company_name") or "", *OTHER_NAMES)
    )
    is_common = first.lower() in STOP_WORDS or not is_name
    return f"{line[0].lower()}{line[1:]}" if first.istitle() and is_common else line


def write_choices(inputs: dict) -> list[dict]:
    """Fields of the questions: a sentence with one figure left out, and others like it (finrag.quizzes.choices)."""
    text = inputs["text"]
    found = split(text)
    usable = [sentence for sentence in found if is_checkable(sentence) and _figures(sentence)]
    written = []
    for sentence in spread(usable, inputs["count"], "choices"):
        key = min(_figures(sentence), key=lambda amount: draw("choices", sentence.key, amount.text))
        wrong = distractors(key, sentence, found)
        if len(wrong) < DISTRACTORS:
            continue
        line = " ".join(sentence.text.split())
        written.append(
            {
                "question": f"Which figure completes the statement? {line.replace(key.text, BLANK, 1)}",
                "key": key.text,
                "distractors": wrong,
                "evidence_quote": line,
            }
        )
    return written


def _figures(sentence: Sentence) -> list[Amount]:
    """Amounts with a unit, or at least with thousands, that stand once in the sentence and follow from no others."""
    return [
        amount
        for amount in sentence.amounts
        if amount.high is None
        and (amount.unit != NUMBER or not amount.is_bare or "," in amount.text)
        and any(character.isdigit() for character in amount.text)
        and is_central(amount, sentence.text)
        and sentence.text.count(amount.text) == 1
        and not is_derivable(sentence, amount)
    ]
