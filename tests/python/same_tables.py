"""Whether two warehouses hold the same rows, bit for bit, in every public table.

    .venv/bin/python tests/python/same_tables.py one.duckdb other.duckdb [manifest.json]

Prints the tables that differ with their rows on either side and the columns that differ; exits with 1 where one does.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import duckdb

# What is kept of earlier builds, and of this one when it was.
HISTORIES = {"metrics.builds", "metrics.build_values"}
# What says when something was built or how fast it was: everything else is a result.
TIMES = {"first_built_at", "built_at", "created_at", "requested_at", "scored_at", "modified_at", "queries_per_second"}


@dataclass(frozen=True)
class Difference:
    """Rows, duplicates counted, that only one side has, and the columns whose values differ."""

    only_one: int
    only_other: int
    columns: tuple[str, ...]


def public_tables(manifest: Path) -> list[str]:
    from finrag.publish.catalog import described_tables

    return [name for table in described_tables(manifest) if (name := ".".join(table.key)) not in HISTORIES]


def differences(one: Path, other: Path, tables: Iterable[str]) -> Mapping[str, Difference]:
    """Tables that differ; times and speeds are left out."""
    found = {}
    with duckdb.connect() as connection:
        connection.execute(f"attach '{one}' as one (read_only)")
        connection.execute(f"attach '{other}' as other (read_only)")
        for table in tables:
            columns = [name for name, *_ in connection.execute(f"describe one.{table}").fetchall() if name not in TIMES]
            rows = only(connection, table, columns)
            if rows != (0, 0):
                differing = tuple(name for name in columns if only(connection, table, [name]) != (0, 0))
                found[table] = Difference(*rows, differing)
    return found


def only(connection: duckdb.DuckDBPyConnection, table: str, columns: Iterable[str]) -> tuple[int, int]:
    """Rows that only the first and only the second side has. DuckDB takes 0 and -0 for equal, and nan and nan."""
    names = ", ".join(f'"{name}"' for name in columns)
    one, other = (f"select {names} from {side}.{table}" for side in ("one", "other"))
    [(only_one, n_one, n_other)] = connection.execute(
        f"select (select count(*) from ({one} except all {other})), "
        f"(select count(*) from one.{table}), (select count(*) from other.{table})"
    ).fetchall()
    # what both sides have is n_one - only_one rows, so a second look from the other side would tell nothing new
    return only_one, n_other - (n_one - only_one)


def main() -> None:
    sys.path.insert(0, "python_models")
    one, other, *manifest = map(Path, sys.argv[1:])
    tables = public_tables(manifest[0] if manifest else Path("target/manifest.json"))
    found = differences(one, other, tables)
    for table, difference in found.items():
        print(f"{table}: {difference}")
    print(f"{len(found)} of {len(tables)} public tables differ")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
