"""What the answerers replied, as rows: one for every question asked, whatever became of it, and one per entry unused.

outcome: answered; undecided (idk, Uncertain or none); unmatched, where the reply has no entry for the question; voided,
where the answer's quote is not in the text that was read, or entries contradict each other, with the reason. What is
undecided, unmatched or voided has the undecided answer of its kind. A failed call has is_error and no answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from finrag.judging import check_quote
from finrag.quizzes.tables import as_relation, reply_of, rows_of

COLUMNS = {
    "row_kind": "varchar",
    "answer_id": "varchar",
    "item_id": "varchar",
    "kind": "varchar",
    "set_id": "varchar",
    "question_id": "varchar",
    "question_no": "integer",
    "text_id": "varchar",
    "reading": "varchar",
    "stated_answer": "varchar",
    "answer": "varchar",
    "outcome": "varchar",
    "reason": "varchar",
    "quotes": "varchar[]",
    "quote_score": "double",
    "model_id": "varchar",
    "provider": "varchar",
    "is_baseline": "boolean",
    "replicate": "integer",
    "prompt_version": "varchar",
    "call_key": "varchar",
    "status": "varchar",
    "is_error": "boolean",
    "error": "varchar",
}
REQUEST = ("item_id", "kind", "set_id", "text_id", "reading")
RESPONSE = (
    "item_id", "model_id", "provider", "is_baseline", "replicate", "prompt_version", "call_key", "status", "error",
    "output",
)  # fmt: skip


@dataclass(frozen=True)
class Kind:
    """How one kind of answer is read from a reply."""

    entries: str
    id_field: str
    answer_field: str
    undecided: str


KINDS = {
    "closed_question": Kind("answers", "question_id", "answer", "idk"),
    "statement": Kind("verdicts", "statement_id", "verdict", "Uncertain"),
    "choice": Kind("answers", "question_id", "choice", "none"),
}


def short_id(question_no: int) -> str:
    """How a question is named in a request."""
    return f"q{question_no}"


def read_answers(session, requests, responses, questions, texts):
    """Relation with the columns COLUMNS: rows of kind answer, and of kind unused for entries of replies.

    requests, responses: relations with the columns REQUEST and RESPONSE. questions: relation of what read_questions
    gives. texts: relation with text_id and text.
    """
    text_of = dict(texts.project("text_id, text").fetchall())
    questions_of: dict[str, list[dict]] = {}
    usable = questions.filter("problem is null")
    for row in rows_of(usable, ("set_id", "question_id", "question_no"), "set_id, question_no"):
        questions_of.setdefault(row["set_id"], []).append(row)
    rows: list[dict] = []
    of_item = {row["item_id"]: row for row in rows_of(requests, REQUEST, "item_id")}
    for response in rows_of(responses, RESPONSE, "item_id, model_id, replicate"):
        request = of_item[response["item_id"]]
        text = text_of.get(request["text_id"])
        rows += reply_rows(request, response, questions_of[request["set_id"]], text)
    return as_relation(session, rows, COLUMNS)


def reply_rows(request: Mapping, response: Mapping, questions: list[dict], text: str | None) -> list[dict]:
    """The rows of one reply. text: what was read, None where no text was given, which no quote can come from."""
    kind = KINDS[request["kind"]]
    reply = reply_of(response)
    head = dict.fromkeys(COLUMNS) | {name: request[name] for name in REQUEST}
    head |= {name: response[name] for name in RESPONSE if name in COLUMNS}
    head |= {"is_error": reply is None, "quotes": []}
    asked = {short_id(question["question_no"]): question for question in questions}
    entries: dict[str, list[dict]] = {}
    rows: list[dict] = []

    def unused(entry: Mapping, reason: str, question: Mapping | None) -> dict:
        named = {"stated_answer": entry[kind.answer_field], "quotes": entry["quotes"]}
        return row_of(head, "unused", len(rows), question) | {
            "reason": f"{reason}: {entry[kind.id_field]}"[:200],
            **named,
        }

    for entry in reply[kind.entries] if reply else ():
        name = entry[kind.id_field].strip()
        if name not in asked:
            rows.append(unused(entry, "unknown_id", None))
        else:
            entries.setdefault(name, []).append(entry)
    for name, question in asked.items():
        given = entries.get(name, [])
        rows += [unused(entry, "repeated_id", question) for entry in given[1:]]
        row = row_of(head, "answer", question["question_no"], question)
        rows.append(row if reply is None else row | outcome_of(given, kind, text))
    return rows


def row_of(head: Mapping, row_kind: str, number: int, question: Mapping | None) -> dict:
    ids = {name: question[name] for name in ("question_id", "question_no")} if question else {}
    names = (head["item_id"], head["model_id"], head["replicate"], row_kind, number)
    return {**head, "row_kind": row_kind, "answer_id": "-".join(map(str, names)), **ids}


def outcome_of(given: list[dict], kind: Kind, text: str | None) -> dict:
    """stated_answer, answer, outcome, reason, quotes and quote_score of the entries for one question."""
    if not given:
        return {"answer": kind.undecided, "outcome": "unmatched", "reason": "not_in_reply"}
    stated, quotes = given[0][kind.answer_field], [quote for quote in given[0]["quotes"] if quote.strip()]
    found = {"stated_answer": stated, "answer": stated, "quotes": quotes}
    if len({entry[kind.answer_field] for entry in given}) > 1:
        return found | {"answer": kind.undecided, "outcome": "voided", "reason": "contradictory_entries"}
    if stated == kind.undecided:
        return found | {"outcome": "undecided", "reason": "said_so"}
    if text is None:
        return found | {"outcome": "answered", "reason": "no_text_given"}
    looked_up = [check_quote(quote, text.split("\n")) for quote in quotes]
    if not looked_up:
        return found | {"answer": kind.undecided, "outcome": "voided", "reason": "no_quote"}
    found["quote_score"] = min(one.score for one in looked_up)
    if not all(one.is_found for one in looked_up):
        return found | {"answer": kind.undecided, "outcome": "voided", "reason": "quote_not_in_text"}
    exact = all(one.match == "exact" for one in looked_up)
    return found | {"outcome": "answered", "reason": "quotes_exact" if exact else "quotes_similar"}
