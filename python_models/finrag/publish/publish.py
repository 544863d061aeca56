"""Copy the public tables of the warehouse into the published files."""

from __future__ import annotations

import datetime
import hashlib
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from finrag.build.output import LOCKED, sentence_of
from finrag.errors import FinragError
from finrag.project import command
from finrag.publish import catalog, star
from finrag.publish.catalog import Described
from finrag.publish.files import PARQUET, Publication, written_state
from finrag.tables import literal, quoted
from finrag.versions import code_version

if TYPE_CHECKING:
    from collections.abc import Iterable

SOURCE = "warehouse"
# The oldest DuckDB that the drivers of BI tools still carry; a file of today's own form is read by DuckDB 2 alone.
READABLE_FROM = "v1.4.0"


class WarehouseInUseError(FinragError):
    """Another process writes the warehouse, so it cannot be read."""


@dataclass(frozen=True)
class Outcome:
    """What publishing did."""

    publication: Publication
    is_new: bool
    table_count: int
    seconds: float

    def sentence(self) -> str:
        if not self.is_new:
            return f"{self.publication.file} is up to date ({self.seconds:.1f} s)"
        size = self.publication.file.stat().st_size / 1e6
        return f"{self.publication.file}, {self.table_count} tables, {size:.0f} MB ({self.seconds:.1f} s)"


def publish(warehouse: Path, publication: Publication, manifest: Path) -> Outcome:
    """Publish the warehouse unless the last publication says the same.

    A file that no one wrote since is not even read; one that a build has written again is compared by content.
    """
    started = time.monotonic()
    if not warehouse.exists():
        raise FinragError(f"There is no warehouse at {warehouse}. Build it first: {command('build')}")
    with publication.lock():
        publication.clear_leftovers()
        try:
            is_new, table_count = publish_locked(warehouse, publication, catalog.described_tables(manifest))
        except (duckdb.Error, OSError) as error:
            raise FinragError(
                f"{publication.file} could not be written: {error}. What was published before stands as it was; mend "
                f"the cause and run {command('publish')}."
            ) from error
        finally:
            publication.clear_leftovers()
    return Outcome(publication, is_new, table_count, time.monotonic() - started)


def publish_locked(warehouse: Path, publication: Publication, described: list[Described]) -> tuple[bool, int]:
    """Whether there was anything new, and the number of public tables."""
    rules = fingerprint_of_rules(described)
    seen = written_state(warehouse)
    last = publication.state()
    if (last.get("seen"), last.get("rules")) == (seen, rules):
        return False, last["table_count"]
    with connect(warehouse, publication) as connection:
        tables = present(connection, described)
        if not tables:
            raise FinragError(f"The warehouse at {warehouse} holds no public table yet. Build it: {command('build')}")
        content = fingerprint_of_content(connection, tables)
        if (last.get("content"), last.get("rules")) == (content, rules):
            publication.write_state(last | {"seen": seen})
            return False, last["table_count"]
        now = datetime.datetime.now(datetime.UTC).replace(tzinfo=None)
        version = f"{now:%Y%m%dT%H%M%S%f}-{content[:8]}"
        connection.begin()
        flat = copy_tables(connection, tables)
        note_publication(connection, now.replace(microsecond=0), content, tables)
        connection.commit()
        write_parquet(connection, publication.partial / PARQUET, flat)
    state = {"seen": seen, "content": content, "rules": rules, "table_count": len(tables)}
    publication.swap(version, state)
    return True, len(tables)


def connect(warehouse: Path, publication: Publication) -> duckdb.DuckDBPyConnection:
    """The new file, with the warehouse attached read-only."""
    settings = {
        "memory_limit": os.environ.get("FINRAG_MEMORY_LIMIT", "4GB"),
        "storage_compatibility_version": READABLE_FROM,
    }
    publication.partial.mkdir(parents=True)
    connection = duckdb.connect(str(publication.partial / publication.file.name), config=settings)
    try:
        connection.execute(f"attach {literal(str(warehouse))} as {SOURCE} (read_only)")
    except duckdb.IOException as error:
        connection.close()
        if not LOCKED.search(" ".join(str(error).split())):
            raise FinragError(f"{warehouse} cannot be published: {sentence_of(error)}") from error
        raise WarehouseInUseError(
            f"{warehouse} is being written by another process, so it cannot be published now. "
            "A build publishes by itself when it ends."
        ) from error
    return connection


def present(connection: duckdb.DuckDBPyConnection, described: Iterable[Described]) -> list[Described]:
    """Those of the described tables that the warehouse holds."""
    held = connection.execute(
        "select table_schema, table_name from information_schema.tables where table_catalog = ?", [SOURCE]
    ).fetchall()
    return [table for table in described if table.key in set(held)]


def fingerprint_of_rules(described: list[Described]) -> str:
    """Of the descriptions and of the code that publishes."""
    return catalog.fingerprint(described) + code_version(__name__)


def fingerprint_of_content(connection: duckdb.DuckDBPyConnection, tables: list[Described]) -> str:
    """Of the rows in any order, with their columns and types.

    Floating-point columns count to nine decimals: a sum over threads differs in the last digits from build to build.
    """
    digest = hashlib.sha256()
    for table in tables:
        source = f"{SOURCE}.{quoted(table.schema)}.{quoted(table.name)}"
        relation = connection.table(source)
        types = list(map(str, relation.types))
        columns = [
            f"round({quoted(name)}, 9) + 0" if type_ in ("DOUBLE", "FLOAT") else quoted(name)
            for name, type_ in zip(relation.columns, types, strict=True)
        ]
        rows = connection.execute(f"select count(*), sum(hash({', '.join(columns)})) from {source}").fetchone()
        digest.update(repr((table.key, relation.columns, types, rows)).encode())
    return digest.hexdigest()[:16]


def copy_tables(connection: duckdb.DuckDBPyConnection, tables: list[Described]) -> list[Described]:
    """Every public table under its own name, and the flat views over them, which are returned."""
    for table in tables:
        copy_table(connection, table)
        star.comment(connection, table, "table")
    return star.create_star(connection, tables)


def copy_table(connection: duckdb.DuckDBPyConnection, table: Described) -> None:
    name = f"{quoted(table.schema)}.{quoted(table.name)}"
    connection.execute(f"create schema if not exists {quoted(table.schema)}")
    connection.execute(f"create table {name} as from {SOURCE}.{name}")


def note_publication(
    connection: duckdb.DuckDBPyConnection, now: datetime.datetime, content: str, tables: list[Described]
) -> None:
    """`bi_publication`: which publication a reader is looking at."""
    connection.execute(
        "create table bi_publication as select ?::timestamp as published_at, ? as content, ?::integer as table_count",
        [now, content, len(tables)],
    )
    described = Described(
        schema="main",
        name="bi_publication",
        description="Which publication this file is. One row per file.",
        columns={
            "published_at": "When the file was written, UTC.",
            "content": "Changes with any row of a published table.",
            "table_count": "Public tables in the file, the flat views not counted.",
        },
    )
    star.comment(connection, described, "table")


def write_parquet(connection: duckdb.DuckDBPyConnection, folder: Path, flat: list[Described]) -> None:
    folder.mkdir()
    for view in flat:
        target = literal(str(folder / f"{view.name}.parquet"))
        connection.execute(
            f"copy (from {quoted(view.name)}) to {target} "
            f"(format parquet, compression zstd, kv_metadata {{description: {literal(view.description)}}})"
        )
