"""Question suites that others wrote: JSON arrays in the schema of ``finrag.questions.schema``."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from pydantic import ValidationError

from finrag.errors import FinragError
from finrag.inputs.files import check, decode, read_text, shorten
from finrag.inputs.setting import Grammar, NamedFile
from finrag.questions.schema import Question
from finrag.tables import as_relation

# Our own suites; values of metrics are told apart by these names.
OWN_SUITES = ("p1", "p2", "p3", "mdna")
GRAMMAR = Grammar(
    "question_suites",
    'JSON files, as "path" or "name=path", several separated by spaces, globs allowed',
    "suites/*.json",
    is_name_needed=False,
)
OUTPUT = {
    "suite": "varchar",
    "file_path": "varchar",
    "source_row": "integer",
    "question_id": "varchar",
    "record": "varchar",
    "reason": "varchar",
    "detail": "varchar",
}


def read_suites(session, question_suites: str):
    """Relation with one row per question of every file; one that breaks the schema has a reason, its faults in detail.

    question_suites: the setting. record is the validated question as JSON, its lists and numbers typed; as found in the
    file where it is not valid. Raises FinragError for a file that is missing or holds no JSON array.
    """
    return as_relation(session, [row for file in suite_files(question_suites) for row in read_suite(file)], OUTPUT)


def suite_files(question_suites: str) -> list[NamedFile]:
    """The files, sorted; a suite is named after its file unless stated, and no two may share a name."""
    asked = question_suites or ""
    found = [file for file in GRAMMAR.parse(asked) if file.path.lower().endswith(".json") or file.path in asked]
    files = sorted(found, key=lambda file: Path(file.path))
    counts = Counter(file.name for file in files)
    repeated = sorted(name for name, count in counts.items() if count > 1 or name in OWN_SUITES)
    if repeated:
        raise FinragError(
            f"A question suite is named after its file, and these names are taken more than once: "
            f"{', '.join(repeated)}. Rename the files, or name them, name=path ({', '.join(OWN_SUITES)} are our own)."
        )
    return files


def read_suite(file: NamedFile) -> list[dict]:
    """Rows of one file."""
    path = file.path
    try:
        records = decode(read_text(path))
    except (OSError, ValueError) as error:
        raise FinragError(f"The question suite {path} cannot be read: {error}. It must be a JSON array.") from error
    if not isinstance(records, list) or not records:
        held = "no question" if records == [] else type(records).__name__
        raise FinragError(f"The question suite {path} holds {held} where a JSON array of questions is expected.")
    ids: set[str] = set()
    return [_row(file, number, record, ids) for number, record in enumerate(records, start=1)]


def _row(file: NamedFile, number: int, record: object, ids: set[str]) -> dict:
    stated_id = record.get("question_id") if isinstance(record, dict) else None
    question_id = stated_id if isinstance(stated_id, str) and stated_id else f"#{number - 1}"
    row = {"suite": file.name, "file_path": file.path, "source_row": number, "question_id": question_id}
    try:
        check(record)
    except ValueError as fault:
        return row | {"question_id": f"#{number - 1}", "reason": "unreadable_row", "detail": shorten(str(fault))}
    try:
        question = Question.model_validate(record)
    except ValidationError as error:
        faults = "; ".join(
            f"{'.'.join(str(part) for part in fault['loc']) or 'question'}: {fault['msg']}" for fault in error.errors()
        )
        return row | {"record": json.dumps(record, ensure_ascii=False), "reason": "invalid_schema", "detail": faults}
    row["record"] = question.model_dump_json()
    if question_id in ids:
        return row | {
            "question_id": f"{question_id}#{number - 1}",
            "reason": "duplicate_id",
            "detail": "question_id: occurs earlier in the file",
        }
    ids.add(question_id)
    return row
