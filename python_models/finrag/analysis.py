"""The questions of analyses/, asked of the warehouse."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from finrag.build.parse import NOTE, PARSE
from finrag.errors import FinragError
from finrag.project import dbt_folder, dbt_target, existing_warehouse
from finrag.settings import handed_over
from finrag.spelling import did_you_mean

# Where it is set, dbt opens the warehouse for reading alone (finrag.build.dbt_plugin).
READING = "FINRAG_READING"


def known() -> dict[str, str]:
    """The question that each analysis opens with, by its name."""
    files = sorted((dbt_folder() / "analyses").glob("*.sql"))
    return {file.stem: file.read_text(encoding="utf-8").partition("\n")[0].removeprefix("-- ") for file in files}


def found(name: str) -> str:
    """The name; raises FinragError where no analysis has it."""
    if name not in known():
        raise FinragError(f"There is no analysis '{name}'.{did_you_mean(name, known())} Known: {', '.join(known())}.")
    return name


def compiled(name: str) -> Path:
    return dbt_target() / "compiled" / "finrag" / "analyses" / f"{name}.sql"


@contextmanager
def reading() -> Iterator[None]:
    """dbt opens the warehouse for reading alone; what it compiles is kept nowhere if this folder cannot be written."""
    before, target = dict(os.environ), dbt_target()
    os.environ[READING] = "1"
    try:
        with tempfile.TemporaryDirectory() as elsewhere:
            if not os.access(target if target.exists() else target.parent, os.W_OK):
                for name in (PARSE, NOTE):
                    if (target / name).exists():
                        shutil.copy(target / name, elsewhere)
                os.environ |= {"DBT_TARGET_PATH": elsewhere, "DBT_LOG_PATH": elsewhere}
            yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def show(name: str, limit: int) -> None:
    """Run the compiled analysis read-only and print its first rows, as wide as the terminal, or that it has none."""
    import duckdb

    width = max(shutil.get_terminal_size((160, 40)).columns, 120)
    with duckdb.connect(str(existing_warehouse()), read_only=True) as connection:
        query = compiled(name).read_text(encoding="utf-8")
        # a table, so that the query runs once
        connection.execute(f"create temporary table found as select * from ({query}) limit {limit}")
        found = connection.sql("from temp.found")
        found.show(max_width=width, max_rows=limit)
        if not found.limit(1).fetchall():
            print(f"Nothing was found: the warehouse holds no such thing as {name} asks for{asked_for()}.")


def asked_for() -> str:
    """Where the ids are of what a setting names; empty where none does."""
    traced = handed_over().get("traced_query")
    return f", or no question {traced!r} whose evidence is searched for (ids: gold.retrieval_queries)" if traced else ""
