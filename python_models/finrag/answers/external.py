"""Answers of a system of one's own, matched to the questions they answer, as one table of answers and problems."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from finrag.answers.matching import Known, Match, Questions
from finrag.inputs.answers import GRAMMAR, UNKNOWN_MODEL, Record, read_answers
from finrag.inputs.files import QUOTED_CHARACTERS
from finrag.inputs.rows import only_models
from finrag.tables import as_relation

OUTPUT = {
    "external_run": "varchar",
    "file_path": "varchar",
    "source_row": "bigint",
    "source_answer_id": "varchar",
    "question_text": "varchar",
    "suite": "varchar",
    "question_id": "varchar",
    "match_kind": "varchar",
    "match_score": "double",
    "answer_model": "varchar",
    "answer_number": "integer",
    "answer_text": "varchar",
    "answer_items": "varchar[]",
    "answer_numeric": "double",
    "answer_unit": "varchar",
    "answer_boolean": "boolean",
    "is_answerable": "boolean",
    "cited_sentence_ids": "varchar[]",
    "contexts": "varchar",
    "input_tokens": "bigint",
    "output_tokens": "bigint",
    "cost_usd": "double",
    "latency_seconds": "double",
    "reason": "varchar",
    "detail": "varchar",
}


def load_answers(session, setting: str, questions, strategies):
    """Relation with the columns OUTPUT: a row per answer and matched question, and per problem (with a reason).

    A question of a suite of which a run answers others, and not this one, is a problem too.

    session: DuckDB connection. setting: var external_answers. questions, strategies: relations of gold.p3_questions and
    the seed retrieval_strategies. Raises FinragError for a setting that is wrong.
    """
    names = tuple(name for (name,) in strategies.project("strategy").fetchall())
    files = replace(GRAMMAR, taken=(names, "a strategy")).parse(setting)
    records = with_models([record for file in files for record in read_answers(file)])
    known = Questions(
        Known(suite, question_id, text, tuple(companies or ()))
        for suite, question_id, text, companies in questions.project(
            "suite, question_id, question_text, company_name"
        ).fetchall()
    )
    rows = answer_rows(records, known)
    return as_relation(session, rows + missing_questions(rows, known), OUTPUT)


def with_models(records: Sequence[Record]) -> list[Record]:
    """Of a run that names one model, all rows are that model's."""
    only = only_models((record.external_run, record.stated.model) for record in records)
    for record in records:
        if record.stated.model is None:
            record.stated.model = only.get(record.external_run)
    return [*records]


def missing_questions(rows: Sequence[dict], known: Questions) -> list[dict]:
    """What a run leaves out of the suites that it answers, which is in none of its values."""
    answered: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        if row.get("question_id") is not None:
            answered.setdefault((row["external_run"], row["suite"]), set()).add(row["question_id"])
    detail = "The run answers other questions of the suite, not this one; it is in no value."
    return [
        {"external_run": run, "suite": suite, "question_id": question.question_id, "question_text": question.text}
        | {"reason": "missing_question", "detail": detail}
        for (run, suite), ids in sorted(answered.items())
        for question in known.questions
        if question.suite == suite and question.question_id not in ids
    ]


def answer_rows(records: Sequence[Record], known: Questions) -> list[dict]:
    """Rows of all records. answer_number counts the answers of one run and model to one question, from 1."""
    rows: list[dict] = []
    numbers: Counter = Counter()
    for record in records:
        matches = find_question(record, known)
        for match in matches:
            question = match.question
            numbers[key := (record.external_run, record.stated.model, question.suite, question.question_id)] += 1
            rows.append(answer_row(record, match, numbers[key]))
        rows += [
            _row(record) | {"reason": reason, "detail": detail[:QUOTED_CHARACTERS]}
            for reason, detail in record.problems
        ]
    return rows


def find_question(record: Record, known: Questions) -> list[Match]:
    """The questions that a record answers; without one, that is its problem."""
    stated = record.stated
    if stated.question_id is not None:
        found = [
            Match(question, "exact", 100.0)
            for question in known.questions
            if question.question_id == stated.question_id and stated.suite in (None, question.suite)
        ]
        if not found:
            named = f"{stated.suite or 'any suite'}:{stated.question_id}"
            record.problems.append(("unmatched", f"no question {named} in gold.p3_questions"))
        elif len(found) > 1:
            suites = ", ".join(match.question.suite for match in found)
            record.problems.append(("ambiguous", f"{stated.question_id} is a question of {suites}; state the suite"))
            return []
        return found
    if stated.question is None:
        return []
    found = known.match(stated.question)
    if not found:
        near = known.nearest(stated.question)
        detail = (
            f"nearest, {near[1]:.0f} % alike: {near[0].suite}:{near[0].question_id} {near[0].text}"
            if near
            else "no question"
        )
        record.problems.append(("unmatched", detail))
    return without_ambiguous(record, found)


def without_ambiguous(record: Record, found: list[Match]) -> list[Match]:
    """The matches of suites that have one; several of a suite are a problem."""
    ids: dict[str, list[str]] = {}
    for match in found:
        ids.setdefault(match.question.suite, []).append(match.question.question_id)
    for suite, alike in ids.items():
        if len(alike) > 1:
            detail = f"{suite} asks this as {', '.join(alike)}; state the question_id and the suite"
            record.problems.append(("ambiguous", detail))
    return [match for match in found if len(ids[match.question.suite]) == 1]


def answer_row(record: Record, match: Match, number: int) -> dict:
    contexts = None
    if record.contexts is not None:
        contexts = json.dumps([vars(context) for context in record.contexts], ensure_ascii=False)
    stated = {name: value for name, value in record.stated if name in OUTPUT}
    tokens = {name: int(stated[name]) for name in ("input_tokens", "output_tokens") if stated[name] is not None}
    return (
        stated
        | tokens
        | _row(record)
        | {
            "suite": match.question.suite,
            "question_id": match.question.question_id,
            "match_kind": match.kind,
            "match_score": match.score,
            "answer_model": record.stated.model or UNKNOWN_MODEL,
            "answer_number": number,
            "answer_text": record.stated.answer,
            "contexts": contexts,
        }
    )


def _row(record: Record) -> dict:
    source = f"{record.external_run}|{record.file_path}|{record.source_row}"
    return {
        "external_run": record.external_run,
        "file_path": record.file_path,
        "source_row": record.source_row,
        "source_answer_id": hashlib.md5(source.encode(), usedforsecurity=False).hexdigest(),
        "question_text": record.stated.question,
    }
