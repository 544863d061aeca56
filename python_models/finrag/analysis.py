"""The questions of analyses/, asked of the warehouse."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from finrag.build.parse import NOTE, PARSE
from finrag.build.unchanged import Made, what_is_read
from finrag.errors import FinragError
from finrag.project import dbt_folder, dbt_target, existing_warehouse, target_is_writable
from finrag.settings import handed_over
from finrag.spelling import did_you_mean

# Where dbt puts them when it has compiled them, in its target.
COMPILED = "compiled/finrag/analyses"
# One by one they take dbt as long as all at once. None asks the warehouse anything, so it is not opened; no log, which
# would show the SQL; what dbt writes of builds stays as the last one left it.
COMPILE = (
    *("compile", "--no-write-json", "--no-populate-cache", "--log-level", "none"),
    *("--select", "resource_type:analysis"),
)


def known() -> dict[str, str]:
    """The question that each analysis opens with, by its name."""
    files = sorted((dbt_folder() / "analyses").glob("*.sql"))
    return {file.stem: file.read_text(encoding="utf-8").removeprefix("-- ").partition("?")[0] + "?" for file in files}


def found(name: str) -> str:
    """The name; raises FinragError where no analysis has it."""
    if name not in known():
        raise FinragError(f"There is no analysis '{name}'.{did_you_mean(name, known())} Known: {', '.join(known())}.")
    return name


def answer(name: str, limit: int, options: list[str]) -> int:
    """Print what an analysis finds, compiled with these options of dbt where it has not been yet; the exit code."""
    made = Made(COMPILED, what_is_read(options))
    if made.is_current():
        show(dbt_target() / COMPILED / f"{name}.sql", limit)
        return 0
    from finrag.build.dbt_run import run_dbt

    with somewhere():
        run = run_dbt([*COMPILE, *options])
        if run.code:
            print("\n".join(run.problems()))
            return run.code
        made.note()
        show(dbt_target() / COMPILED / f"{name}.sql", limit)
    return 0


@contextmanager
def somewhere() -> Iterator[None]:
    """What dbt compiles is kept nowhere if its target cannot be written."""
    before, target = dict(os.environ), dbt_target()
    try:
        with tempfile.TemporaryDirectory() as elsewhere:
            if not target_is_writable():
                for name in (PARSE, NOTE):
                    if (target / name).exists():
                        shutil.copy(target / name, elsewhere)
                os.environ |= {"DBT_TARGET_PATH": elsewhere, "DBT_LOG_PATH": elsewhere}
            yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def show(compiled: Path, limit: int) -> None:
    """Run a compiled analysis read-only and print its first rows, or that it has none."""
    import duckdb

    from finrag.cli.rows import print_rows

    with duckdb.connect(str(existing_warehouse()), read_only=True) as connection:
        query = compiled.read_text(encoding="utf-8")
        # a table, so that the query runs once
        connection.execute(f"create temporary table found as select * from ({query}) limit {limit}")
        found = connection.sql("from temp.found")
        if found.limit(1).fetchall():
            print_rows(found)
        else:
            print(f"Nothing was found: the warehouse holds no such thing as {compiled.stem} asks for{asked_for()}.")


def asked_for() -> str:
    """Where the ids are of what a setting names; empty where none does."""
    traced = handed_over().get("traced_query")
    return f", or no question {traced!r} whose evidence is searched for (ids: gold.retrieval_queries)" if traced else ""
