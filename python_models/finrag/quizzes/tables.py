"""Relations in and out of the quizzes: rows as dicts, and typed columns."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

TYPES = {"varchar": "string", "boolean": "bool_", "integer": "int32", "double": "float64"}


def rows_of(relation, columns: Sequence[str], order: str) -> Iterator[dict]:
    for row in relation.project(", ".join(columns)).order(order).fetchall():
        yield dict(zip(columns, row, strict=True))


def reply_of(row: Mapping) -> dict | None:
    """The reply of a response row, or None where the call failed."""
    return json.loads(row["output"]) if row["output"] else None


def as_relation(session, rows: list[dict], columns: Mapping[str, str]):
    """The rows as a relation of the session, typed also when there are none; varchar[] is a list of texts."""
    import pyarrow

    kinds = {name: getattr(pyarrow, kind)() for name, kind in TYPES.items()} | {
        "varchar[]": pyarrow.list_(pyarrow.string())
    }
    schema = pyarrow.schema([(name, kinds[kind]) for name, kind in columns.items()])
    return session.from_arrow(pyarrow.Table.from_pylist(rows, schema=schema))
