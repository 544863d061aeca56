"""The baselines that answer: what the best-supporting sentence of the text says (``finrag.quizzes.deciding``)."""

from __future__ import annotations

from finrag.quizzes.changes import draw
from finrag.quizzes.deciding import BLANK, claim_of, decide, options_stated

ANSWERS = {"supported": "yes", "contradicted": "no", "unknown": "idk"}
VERDICTS = {"supported": "True", "contradicted": "False", "unknown": "Uncertain"}
LETTERS = "ABCD"


def answer_closed_questions(inputs: dict) -> list[dict]:
    """Fields of the answers; inputs: text, questions (question_id, question)."""
    answers = []
    for question in inputs["questions"]:
        found = decide(claim_of(question["question"]), inputs["text"])
        quotes = [found.quote] if found.quote else []
        answers.append({"question_id": question["question_id"], "answer": ANSWERS[found.verdict], "quotes": quotes})
    return answers


def judge_statements(inputs: dict) -> list[dict]:
    """Fields of the verdicts; inputs: text, statements (statement_id, statement)."""
    verdicts = []
    for statement in inputs["statements"]:
        found = decide(statement["statement"], inputs["text"])
        quotes = [found.quote] if found.quote else []
        verdict = VERDICTS[found.verdict]
        verdicts.append({"statement_id": statement["statement_id"], "verdict": verdict, "quotes": quotes})
    return verdicts


def answer_choices(inputs: dict) -> list[dict]:
    """Fields of the answers; inputs: text (None for a guess), questions (question_id, question, A to D).

    A question without a blank is decided option by option: the one whose sentence with the question's words the text
    supports best. Without a text a hash guesses.
    """
    answers = []
    for question in inputs["questions"]:
        options = [question[letter] for letter in LETTERS]
        if inputs["text"] is None:
            choice, quote = LETTERS[draw("guess", question["question"], *sorted(options)) % 4], None
        else:
            option, quote = _chosen(question["question"], options, inputs["text"])
            choice = LETTERS[options.index(option)] if option is not None else "none"
        answers.append({"question_id": question["question_id"], "choice": choice, "quotes": [quote] if quote else []})
    return answers


def _chosen(question: str, options: list[str], text: str) -> tuple[str | None, str | None]:
    if BLANK in question:
        statement = question.split("? ", 1)[-1]
        return options_stated(options, statement, text)
    found = [(decide(f"{claim_of(question)} {option}", text), option) for option in options]
    supported = [(verdict, option) for verdict, option in found if verdict.verdict == "supported"]
    if not supported:
        return None, None
    best, option = max(supported, key=lambda pair: pair[0].coverage)
    return option, best.quote
