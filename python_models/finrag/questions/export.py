"""`python -m finrag.questions.export`: our question suite as JSON, in the schema that external suites are read in."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from finrag.errors import FinragError
from finrag.questions.schema import Question

FIELDS = ", ".join(Question.model_fields)


def export_suite(connection, path: Path, suite: str = "p3") -> int:
    """Write the questions of a suite, in the order of their ids; how many. Raises FinragError if there are none."""
    import duckdb

    try:
        rows = connection.execute(
            f"""
            select {FIELDS.replace("created_at", "strftime(created_at at time zone 'UTC', '%Y-%m-%dT%H:%M:%S.%fZ')")}
            , answer_items
            from gold.p3_questions
            where suite = ?
            order by question_id
            """,
            [suite],
        ).fetchall()
    except duckdb.CatalogException as error:
        raise FinragError("The table gold.p3_questions is missing. Run make build first.") from error
    if not rows:
        raise FinragError(f"gold.p3_questions has no question of the suite {suite!r}.")
    records = [_record(dict(zip([*Question.model_fields, "answer_items"], row, strict=True))) for row in rows]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(records, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    return len(records)


def _record(row: dict) -> dict:
    items = row.pop("answer_items")
    if row["answer_type"] == "list":
        row["answer_text"] = items
    return Question.model_validate(row).model_dump(mode="json")


def main(arguments: list[str] | None = None) -> int:
    import duckdb

    parser = argparse.ArgumentParser(prog="python -m finrag.questions.export", description=__doc__)
    parser.add_argument("path", nargs="?", type=Path, default=Path("warehouse/p3_questions.json"))
    parser.add_argument("--suite", default="p3")
    options = parser.parse_args(arguments)
    database = os.environ.get("FINRAG_DATABASE", "warehouse/finrag.duckdb")
    try:
        if not Path(database).is_file():
            raise FinragError(f"There is no database {database}. Run make build first.")
        with duckdb.connect(database, read_only=True) as connection:
            count = export_suite(connection, options.path, options.suite)
    except FinragError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{count} questions written to {options.path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
