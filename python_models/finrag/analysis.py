"""The questions of analyses/, asked of the warehouse."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from finrag.errors import FinragError
from finrag.project import dbt_folder, dbt_target, existing_warehouse

if TYPE_CHECKING:
    from pathlib import Path


def known() -> dict[str, str]:
    """The question that each analysis opens with, by its name."""
    files = sorted((dbt_folder() / "analyses").glob("*.sql"))
    return {file.stem: file.read_text(encoding="utf-8").partition("\n")[0].removeprefix("-- ") for file in files}


def found(name: str) -> str:
    """The name; raises FinragError where no analysis has it."""
    if name not in known():
        raise FinragError(f"There is no analysis '{name}'. Known: {', '.join(known())}.")
    return name


def compiled(name: str) -> Path:
    return dbt_target() / "compiled" / "finrag" / "analyses" / f"{name}.sql"


def show(name: str, limit: int) -> None:
    """Run the compiled analysis read-only and print its first rows, as wide as the terminal."""
    import duckdb

    width = max(shutil.get_terminal_size((160, 40)).columns, 120)
    with duckdb.connect(str(existing_warehouse()), read_only=True) as connection:
        query = compiled(name).read_text(encoding="utf-8")
        connection.sql(f"select * from ({query}) limit {limit}").show(max_width=width, max_rows=limit)
