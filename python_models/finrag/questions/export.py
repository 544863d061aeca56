"""Our question suite as JSON, in the schema that external suites are read in."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from finrag.errors import FinragError
from finrag.project import command
from finrag.questions.schema import Question

if TYPE_CHECKING:
    from pathlib import Path

WRITTEN = {"created_at": "strftime(created_at at time zone 'UTC', '%Y-%m-%dT%H:%M:%S.%fZ')"}
FIELDS = tuple(Question.model_fields)
# gold.p3_questions has no column of key points
QUESTIONS = f"""
    select {", ".join(WRITTEN.get(name, name) for name in FIELDS)}, answer_items
    from gold.p3_questions
    left join (select question_key as query_id, key_points from questions.int_suite_questions) using (query_id)
    where suite = ?
    order by question_id
"""


def export_suite(connection, path: Path, suite: str = "p3") -> int:
    """Write the questions of a suite, in the order of their ids; how many. Raises FinragError if there are none."""
    records = records_of(connection, suite)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(records, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    return len(records)


def records_of(connection, suite: str) -> list[dict]:
    """The questions of a suite in the fields of Question. Raises FinragError if there are none."""
    import duckdb

    try:
        rows = connection.execute(QUESTIONS, [suite]).fetchall()
    except duckdb.CatalogException as error:
        raise FinragError(f"The table gold.p3_questions is missing. Build it first: {command('build')}") from error
    if not rows:
        raise FinragError(f"gold.p3_questions has no question of the suite {suite!r}.")
    return [_record(dict(zip([*FIELDS, "answer_items"], row, strict=True))) for row in rows]


def _record(row: dict) -> dict:
    items = row.pop("answer_items")
    if row["answer_type"] == "list":
        row["answer_text"] = items
    return Question.model_validate(row).model_dump(mode="json")
