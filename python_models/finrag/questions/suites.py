"""Question suites that others wrote: JSON arrays in the schema of ``finrag.questions.schema``."""

from __future__ import annotations

import glob
import json
from collections import Counter
from pathlib import Path

from pydantic import ValidationError

from finrag.errors import FinragError
from finrag.questions.schema import Question

OWN_SUITE = "p3"

COLUMNS = {
    "suite": "varchar",
    "file_path": "varchar",
    "position": "integer",
    "question_id": "varchar",
    "problem": "varchar",
    "record": "varchar",
}


def read_suites(session, question_suites: str):
    """Relation with one row per question of every file; a question that breaks the schema has its faults in problem.

    question_suites: paths or globs, separated by spaces. record is the validated question as JSON, its lists and
    numbers typed; as found in the file where it is not valid. Raises FinragError for a file that is missing or holds
    no JSON array.
    """
    import pyarrow

    rows = [row for path in suite_files(question_suites) for row in read_suite(path)]
    kinds = {"varchar": pyarrow.string(), "integer": pyarrow.int32()}
    schema = pyarrow.schema([(name, kinds[kind]) for name, kind in COLUMNS.items()])
    return session.from_arrow(pyarrow.Table.from_pylist(rows, schema=schema))


def suite_files(question_suites: str) -> list[Path]:
    """The files, sorted; a suite is named after its file, so two files must not share a name."""
    paths: set[str] = set()
    for pattern in (question_suites or "").split():
        found = glob.glob(pattern, recursive=True)
        if not found:
            raise FinragError(
                f"No question suite at {pattern!r} (var question_suites, make build QUESTIONS=…). Name JSON files or "
                "globs, separated by spaces."
            )
        paths |= {path for path in found if path.lower().endswith(".json") or path == pattern}
    files = sorted(Path(path) for path in paths)
    counts = Counter(path.stem for path in files)
    repeated = sorted(name for name, count in counts.items() if count > 1 or name == OWN_SUITE)
    if repeated:
        raise FinragError(
            f"A question suite is named after its file, and these names are taken more than once: "
            f"{', '.join(repeated)}. Rename the files ({OWN_SUITE!r} is our own suite)."
        )
    return files


def read_suite(path: Path) -> list[dict]:
    """Rows of one file."""
    try:
        records = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise FinragError(f"The question suite {path} cannot be read: {error}. It must be a JSON array.") from error
    if not isinstance(records, list):
        raise FinragError(
            f"The question suite {path} holds {type(records).__name__} where a JSON array of questions is expected."
        )
    ids: set[str] = set()
    return [_row(path, position, record, ids) for position, record in enumerate(records)]


def _row(path: Path, position: int, record: object, ids: set[str]) -> dict:
    stated_id = record.get("question_id") if isinstance(record, dict) else None
    question_id = stated_id if isinstance(stated_id, str) and stated_id else f"#{position}"
    row = {"suite": path.stem, "file_path": str(path), "position": position, "question_id": question_id}
    try:
        question = Question.model_validate(record)
    except ValidationError as error:
        faults = "; ".join(
            f"{'.'.join(str(part) for part in fault['loc']) or 'question'}: {fault['msg']}" for fault in error.errors()
        )
        return row | {"problem": faults, "record": json.dumps(record, ensure_ascii=False)}
    if question_id in ids:
        return row | {
            "problem": "question_id: occurs earlier in the file",
            "record": question.model_dump_json(),
            "question_id": f"{question_id}#{position}",
        }
    ids.add(question_id)
    return row | {"problem": None, "record": question.model_dump_json()}
