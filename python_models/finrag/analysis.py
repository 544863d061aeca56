"""Print the answer of an analysis: `python -m finrag.analysis NAME [LIMIT]`, once `dbt compile` has written its SQL."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from finrag.errors import FinragError

COMPILED = Path("target/compiled/finrag/analyses")
DEFAULT_DATABASE = "warehouse/finrag.duckdb"


def show(name: str, limit: int) -> None:
    """Run the compiled analysis read-only and print its first rows, as wide as the terminal."""
    import duckdb

    database = os.environ.get("FINRAG_DATABASE", DEFAULT_DATABASE)
    path = COMPILED / f"{name}.sql"
    if not Path(database).exists():
        raise FinragError(f"There is no warehouse at {database}. Build it first: make build")
    if not path.exists():
        known = ", ".join(sorted(file.stem for file in Path("analyses").glob("*.sql")))
        raise FinragError(f"There is no analysis '{name}'. Known: {known}.")
    width = max(shutil.get_terminal_size((160, 40)).columns, 120)
    with duckdb.connect(database, read_only=True) as connection:
        query = path.read_text(encoding="utf-8")
        connection.sql(f"select * from ({query}) limit {limit}").show(max_width=width, max_rows=limit)


if __name__ == "__main__":
    try:
        show(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20)
    except FinragError as error:
        sys.exit(str(error))
