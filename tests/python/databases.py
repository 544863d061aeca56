"""Databases in memory for tests, each its own and empty."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import chain, count

import duckdb

_NUMBERS = count()


@cache
def _instance() -> duckdb.DuckDBPyConnection:
    return duckdb.connect(config={"threads": 1})


@contextmanager
def in_memory() -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection whose tables and views nobody else sees: starting DuckDB takes longer than most tests (12 ms), and
    attaching a database to what one process has started 0.3.

    Settings, further databases and file systems are of all; who needs one of them takes duckdb.connect().
    """
    name = f"memory_{next(_NUMBERS)}"
    _instance().execute(f"attach ':memory:' as {name}")
    connection = _instance().cursor()
    try:
        connection.execute(f"use {name}")
        yield connection
    finally:
        connection.close()
        _instance().execute(f"detach {name}")


def insert(connection: duckdb.DuckDBPyConnection, table: str, rows: Sequence[Sequence]) -> None:
    """All rows by one statement: executemany takes 0.3 ms for each, which is most of what many a test does."""
    row = f"({', '.join('?' * len(rows[0]))})"
    connection.execute(f"insert into {table} values {', '.join([row] * len(rows))}", list(chain.from_iterable(rows)))


def beside(connection: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """One more connection to its database."""
    other = connection.cursor()
    other.execute(f"use {name_of(connection)}")
    return other


def name_of(connection: duckdb.DuckDBPyConnection) -> str:
    """What SQL calls its database."""
    [(name,)] = connection.execute("select current_database()").fetchall()
    return name
