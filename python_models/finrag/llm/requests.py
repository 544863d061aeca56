"""Requests of response models and their rows: read and kept so many at a time, so memory does not grow with them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import count

from finrag.errors import FinragError
from finrag.llm.tasks import Task, find_task
from finrag.tables import append

# Read at a time; a request may hold the text of a whole item.
REQUESTS_AT_ONCE = 100
ROWS_AT_ONCE = 200
# A relation that is read later must not find the table of another call of the same session in the place of its own.
_TABLES = count()


class Items:
    """(item_id, input fields) of every request of a task, in the order of item_id, as often as they are asked for."""

    def __init__(self, session, requests, task: str) -> None:
        """requests: relation with item_id (unique) and inputs (JSON object). Raises FinragError where an id repeats."""
        self.session, self.task = session, task
        self.table = f"llm_requests_{next(_TABLES)}"
        # a table that DuckDB spills to disk, and of which a range of places is read without the rest
        asked = requests.project("item_id::varchar as item_id, inputs::varchar as inputs").sql_query()
        session.execute(
            f"create temp table {self.table} as "
            f"select row_number() over (order by item_id) - 1 as place, item_id, inputs from ({asked}) order by place"
        )
        repeated = session.execute(
            f"select min(item_id) from (select item_id from {self.table} group by item_id having count(*) > 1)"
        ).fetchone()[0]
        if repeated is not None:
            raise FinragError(f"Requests of {task} have the item {repeated!r} more than once; item_id must be unique.")

    def __iter__(self) -> Iterator[tuple[str, dict]]:
        for start in count(step=REQUESTS_AT_ONCE):
            rows = self._rows(start)
            for item_id, text in rows:
                yield item_id, self._inputs(item_id, text)
            if len(rows) < REQUESTS_AT_ONCE:
                return

    def drop(self) -> None:
        """Free the disk that they took; they cannot be gone through again."""
        self.session.execute(f"drop table {self.table}")

    def _rows(self, start: int) -> list[tuple[str | None, str | None]]:
        return self.session.execute(
            f"select item_id, inputs from {self.table} where place >= ? and place < ? order by place",
            [start, start + REQUESTS_AT_ONCE],
        ).fetchall()

    def _inputs(self, item_id: str | None, text: str | None) -> dict:
        try:
            inputs = json.loads(text)
        except (TypeError, ValueError):
            inputs = None
        if not isinstance(inputs, dict) or item_id is None:
            raise FinragError(f"Requests of {self.task}, item {item_id!r}: inputs must be a JSON object.")
        return inputs


def read_tasks(session, requests, task: str | None = None) -> list[tuple[Task, Items]]:
    """Every task that is asked for and its items: the one that is named, or those of the column task."""
    if task is not None:
        return [(find_task(task), Items(session, requests, task))]
    names = [name for (name,) in requests.project("task").distinct().order("task").fetchall()]
    return [(find_task(name), Items(session, requests.filter(f"task = '{name}'"), name)) for name in names]


def kept(session, rows: Iterable[tuple[int, int, dict]], columns: Mapping[str, str]):
    """Relation of rows in the order of the two numbers before each, which may come in any.

    They pass through a temporary table, which DuckDB spills to disk.
    """
    table = f"llm_rows_{next(_TABLES)}"
    declared = {"number": "integer", "place": "bigint", **columns}
    session.execute(f"create temp table {table} ({', '.join(f'{name} {kind}' for name, kind in declared.items())})")
    waiting: list[dict] = []
    for number, place, row in rows:
        waiting.append({"number": number, "place": place, **row})
        if len(waiting) >= ROWS_AT_ONCE:
            append(session, table, waiting)
            waiting = []
    append(session, table, waiting)
    return session.table(table).order("number, place").project(", ".join(columns))
