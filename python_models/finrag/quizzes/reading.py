"""The baselines that answer: the verdicts of the judge by rules (``finrag.judging``) on what the questions state.

Questions are about what one sentence says. So what the judge calls True or False has to be so by its first evidence
alone: put together from several sentences, a figure of one could pass for that of another. And as a summary leaves out
most of its source, False takes a sentence about the very same: the nearest one mostly has other figures because it is
about something else.
"""

from __future__ import annotations

import re
from dataclasses import replace

from finrag.judging import Verdict, baseline_verdicts
from finrag.quizzes.changes import draw
from finrag.quizzes.choices import left_open
from finrag.text.statements import texts_of
from finrag.text.tokens import DOWN, UP, key, tokens
from finrag.text.vocabulary import BE, CAN, DO, HAVE, WILL

ANSWERS = {"True": "yes", "False": "no", "Unclear": "idk"}
VERDICTS = {"True": "True", "False": "False", "Unclear": "Uncertain"}
LETTERS = "ABCD"
LEAST_SHARED = 0.75
BLANK = "____"
_PREFIX = re.compile(r"^does the text (?:say|state) that\s+", re.IGNORECASE)
_AUXILIARY = re.compile(
    rf"^(?:according to [^,]+,\s*)?(?:{DO}|{BE}|{HAVE}|{CAN}|{WILL}|should)\s+",
    re.IGNORECASE,
)


def claim_of(question: str) -> str:
    """A closed question as the statement that it asks about."""
    text = question.strip().rstrip("?").strip()
    text = _PREFIX.sub("", text) if _PREFIX.match(text) else _AUXILIARY.sub("", text)
    return f"{text[:1].upper()}{text[1:]}."


def verdicts(claims: list[str], inputs: dict) -> list[Verdict]:
    """The judge's verdicts, decided by one sentence."""
    names = [inputs["company_name"]] if inputs.get("company_name") else []
    found = baseline_verdicts(texts_of(inputs["text"]), claims, names)
    return [_by_one_sentence(claim, verdict, names) for claim, verdict in zip(claims, found, strict=True)]


def _by_one_sentence(claim: str, verdict: Verdict, names: list[str]) -> Verdict:
    if verdict.verdict == "Unclear" or not verdict.quotes:
        return verdict
    alone = verdict
    if len(verdict.quotes) > 1:
        (alone,) = baseline_verdicts(verdict.quotes[:1], [claim], names)
    is_elsewhere = alone.verdict == "False" and shared(claim, alone.quotes[0]) < LEAST_SHARED
    return replace(alone, verdict="Unclear") if is_elsewhere or alone.verdict != verdict.verdict else alone


def shared(claim: str, sentence: str) -> float:
    """Share of the claim's words that the sentence has, numbers and directions apart."""
    mine, theirs = ({key(word) for word in tokens(text)} - {None, UP, DOWN} for text in (claim, sentence))
    return len(mine & theirs) / len(mine) if mine else 0.0


def answer_closed_questions(inputs: dict) -> list[dict]:
    """Fields of the answers; inputs: text, company_name, questions (question_id, question)."""
    asked = inputs["questions"]
    found = verdicts([claim_of(question["question"]) for question in asked], inputs)
    return [
        {"question_id": question["question_id"], "answer": ANSWERS[verdict.verdict], "quotes": quotes_of(verdict)}
        for question, verdict in zip(asked, found, strict=True)
    ]


def judge_statements(inputs: dict) -> list[dict]:
    """Fields of the verdicts; inputs: text, company_name, statements (statement_id, statement)."""
    asked = inputs["statements"]
    found = verdicts([statement["statement"] for statement in asked], inputs)
    return [
        {"statement_id": one["statement_id"], "verdict": VERDICTS[verdict.verdict], "quotes": quotes_of(verdict)}
        for one, verdict in zip(asked, found, strict=True)
    ]


def quotes_of(verdict: Verdict) -> list[str]:
    return [] if verdict.verdict == "Unclear" else list(verdict.quotes)


def answer_choices(inputs: dict) -> list[dict]:
    """Fields of the answers; inputs: text (None for a guess), company_name, questions (question_id, question, A to D).

    The option is chosen that makes the question's statement true, with the best score where several do. Without a text
    a hash guesses among those that the statement's own words and the form of the options leave open.
    """
    answers = []
    for question in inputs["questions"]:
        options = [question[letter] for letter in LETTERS]
        if inputs["text"] is None:
            statements = [statement_of(question["question"], option) for option in options]
            places = left_open(statements, options)
            choice, quotes = LETTERS[places[draw("guess", question["question"], *sorted(options)) % len(places)]], []
        else:
            found = verdicts([statement_of(question["question"], option) for option in options], inputs)
            true = [place for place, verdict in enumerate(found) if verdict.verdict == "True"]
            best = max(true, key=lambda place: (found[place].score, -place), default=None)
            choice, quotes = ("none", []) if best is None else (LETTERS[best], quotes_of(found[best]))
        answers.append({"question_id": question["question_id"], "choice": choice, "quotes": quotes})
    return answers


def statement_of(question: str, option: str) -> str:
    """What choosing the option states: the blank filled, or question and option together."""
    if BLANK in question:
        return question.split("? ", 1)[-1].replace(BLANK, option)
    return f"{claim_of(question).rstrip('.')} {option}."
