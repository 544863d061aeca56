"""What the writers wrote, as rows: closed questions, statements and choices, each with its key and its evidence.

A set is what one model wrote about one text; its id holds the text, the model, the version of the prompt and how many
were asked for, and nothing of the summaries, so that all summarisers of a source face the same set. What cannot be used
stays as a row with its problem.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from finrag.judging import check_quote
from finrag.quizzes.changes import draw
from finrag.quizzes.reading import LETTERS
from finrag.quizzes.tables import as_relation, reply_of, rows_of
from finrag.text.words import normalised

COLUMNS = {
    "question_id": "varchar",
    "set_id": "varchar",
    "kind": "varchar",
    "origin": "varchar",
    "text_id": "varchar",
    "source_id": "varchar",
    "question_no": "integer",
    "question_text": "varchar",
    "key": "varchar",
    "option_a": "varchar",
    "option_b": "varchar",
    "option_c": "varchar",
    "option_d": "varchar",
    "change": "varchar",
    "evidence_quote": "varchar",
    "evidence_found": "varchar",
    "evidence_sentence_ids": "varchar[]",
    "problem": "varchar",
    "wanted_count": "integer",
    "model_id": "varchar",
    "provider": "varchar",
    "is_baseline": "boolean",
    "prompt_version": "varchar",
    "call_key": "varchar",
    "status": "varchar",
    "error": "varchar",
}
REQUEST = ("item_id", "kind", "origin", "text_id", "source_id", "wanted_count")
RESPONSE = (
    "item_id", "model_id", "provider", "is_baseline", "prompt_version", "call_key", "status", "error", "output",
)  # fmt: skip


@dataclass(frozen=True)
class Kind:
    """How one kind of question is read from a reply."""

    name: str
    entries: str  # field of the reply that lists them

    def fields(self, entry: Mapping, set_id: str, number: int) -> dict:
        """question_text, key and what else the kind has."""
        raise NotImplementedError


class Closed(Kind):
    def fields(self, entry: Mapping, set_id: str, number: int) -> dict:
        return {"question_text": entry["question"], "key": entry["answer"]}


class Statements(Kind):
    def fields(self, entry: Mapping, set_id: str, number: int) -> dict:
        key = "True" if entry["is_true"] else "False"
        return {"question_text": entry["statement"], "key": key, "change": entry["change"]}


class Choices(Kind):
    def fields(self, entry: Mapping, set_id: str, number: int) -> dict:
        options = sorted(entry["distractors"], key=lambda option: draw("order", set_id, number, option))
        place = key_place(set_id, number)
        options.insert(place, entry["key"])
        named = {f"option_{letter.lower()}": option for letter, option in zip(LETTERS, options, strict=True)}
        return {"question_text": entry["question"], "key": LETTERS[place], **named}


KINDS = {
    kind.name: kind
    for kind in (
        Closed("closed_question", "questions"),
        Statements("statement", "statements"),
        Choices("choice", "questions"),
    )
}


def key_place(set_id: str, number: int) -> int:
    """Where the key stands among the options: every four questions of a set have it once in each place."""
    turn, place = divmod(number - 1, len(LETTERS))
    order = sorted(range(len(LETTERS)), key=lambda one: draw("key", set_id, turn, one))
    return order[place]


def set_id_of(request: Mapping, response: Mapping) -> str:
    parts = (
        request["kind"],
        request["text_id"],
        response["model_id"],
        response["prompt_version"],
        request["wanted_count"],
    )
    return hashlib.md5("|".join(map(str, parts)).encode(), usedforsecurity=False).hexdigest()


def read_questions(session, requests, responses, texts, sentences):
    """Relation with the columns COLUMNS: one row per question written, and one per call that failed (question_no 0).

    requests, responses: relations with the columns REQUEST and RESPONSE. texts: relation with text_id and text.
    sentences: relation of summaries.int_source_sentences.
    """
    text_of = dict(texts.project("text_id, text").fetchall())
    ids_of: dict[str, dict[str, str]] = {}
    for row in rows_of(
        sentences, ("source_id", "sentence_no", "sentence_id", "sentence_text"), "source_id, sentence_no desc"
    ):
        ids_of.setdefault(row["source_id"], {})[normalised(row["sentence_text"])] = row["sentence_id"]
    rows: list[dict] = []
    of_item = {row["item_id"]: row for row in rows_of(requests, REQUEST, "item_id")}
    for response in rows_of(responses.filter("replicate = 1"), RESPONSE, "item_id, model_id"):
        request = of_item[response["item_id"]]
        rows += set_rows(request, response, text_of[request["text_id"]], ids_of.get(request["source_id"], {}))
    return as_relation(session, rows, COLUMNS)


def set_rows(request: Mapping, response: Mapping, text: str, ids: Mapping[str, str]) -> list[dict]:
    """The rows of one reply. ids: sentence ids of the source by normalised text."""
    kind = KINDS[request["kind"]]
    set_id = set_id_of(request, response)
    head = dict.fromkeys(COLUMNS) | {"set_id": set_id, **{name: request[name] for name in REQUEST if name != "item_id"}}
    head |= {name: response[name] for name in RESPONSE if name in COLUMNS}
    reply = reply_of(response)
    if reply is None:
        return [
            head
            | {"question_id": f"{set_id}-0", "question_no": 0, "problem": "call_failed", "evidence_sentence_ids": []}
        ]
    rows: list[dict] = []
    sentences = text.split("\n")
    for number, entry in enumerate(reply[kind.entries], start=1):
        found = check_quote(entry["evidence_quote"], sentences)
        row = head | kind.fields(entry, set_id, number)
        row |= {"question_id": f"{set_id}-{number}", "question_no": number, "evidence_quote": entry["evidence_quote"]}
        row |= {"evidence_found": found.match, "evidence_sentence_ids": sentence_ids(entry["evidence_quote"], ids)}
        row["problem"] = problem_of(row, rows)
        rows.append(row)
    return rows


def problem_of(row: Mapping, before: Sequence[Mapping]) -> str | None:
    """Why a question cannot be asked; None where it can."""
    if sum(other["problem"] is None for other in before) >= row["wanted_count"]:
        return "more_than_asked"
    if any(normalised(other["question_text"]) == normalised(row["question_text"]) for other in before):
        return "duplicate"
    if row["evidence_found"] == "missing":
        return "evidence_not_in_text"
    if row["kind"] == "choice":
        options = [normalised(row[f"option_{letter.lower()}"]) for letter in LETTERS]
        if len(set(options)) < len(options) or not all(options):
            return "options_not_distinct"
    return None


def sentence_ids(quote: str, ids: Mapping[str, str]) -> list[str]:
    """The source's sentences that the quote is, is part of or holds; none for quotes of a summary's own words."""
    wanted = normalised(quote)
    if not wanted:
        return []
    if wanted in ids:
        return [ids[wanted]]
    around = [sentence_id for text, sentence_id in ids.items() if len(wanted) >= 20 and wanted in text]
    within = [sentence_id for text, sentence_id in ids.items() if len(text) >= 20 and text in wanted]
    return sorted(around[:1] or within)
