"""Read what the report shows, and the parts that a page is made of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    import duckdb

Row = dict[str, object]
# A chart or a part of one as Vega-Lite describes it.
Spec = dict[str, object]


class Reader:
    """The warehouse or its published copy, opened read-only."""

    def __init__(self, file: Path) -> None:
        import duckdb

        self.file = file
        self.connection: duckdb.DuckDBPyConnection = duckdb.connect(str(file), read_only=True)
        listed = self.connection.execute(
            "select table_schema || '.' || table_name, list(column_name order by ordinal_position) "
            "from information_schema.columns where table_catalog = current_database() group by all"
        ).fetchall()
        self.columns: dict[str, list[str]] = dict(listed)

    def has(self, *tables: str) -> bool:
        """Whether all of the tables are there. Parts of the report without their tables are left out."""
        return all(table in self.columns for table in tables)

    def rows(self, query: str, parameters: object = None) -> list[Row]:
        result = self.connection.execute(query, parameters or [])
        names = [column[0] for column in result.description]
        return [dict(zip(names, row, strict=True)) for row in result.fetchall()]

    def filled(self, table: str) -> bool:
        return self.has(table) and bool(self.rows(f"select 1 from {table} limit 1"))


@dataclass(frozen=True)
class Column:
    """A column of the table below a chart. `digits` of a number; none shows the value as it is."""

    name: str
    label: str
    digits: int | None = None


@dataclass(frozen=True)
class Filter:
    """A choice that a reader makes; it holds for every figure of the section that has the field."""

    name: str
    label: str
    default: str = ""
    """Empty: everything is shown until something is chosen."""


@dataclass
class Figure:
    """A chart with its figures as a table, so that they can be read without the chart."""

    id: str
    title: str
    note: str
    rows: list[Row]
    columns: list[Column]
    chart: Spec | None = None
    filters: tuple[str, ...] = ()
    is_secondary: bool = False
    """Opened by who wants it: a breakdown of a figure above it."""
    is_open: bool = False
    """Its table is shown at once."""


@dataclass
class Passage:
    """A sentence of a case with what it is: the query, gold evidence, what came first, a claim."""

    label: str
    text: str
    source: str = ""
    tone: str = ""


@dataclass
class Case:
    """Something to read: a hardest case, an answer, a rejected question, an alert."""

    title: str
    facts: list[tuple[str, object]]
    passages: list[Passage]
    keys: dict[str, str] = field(default_factory=dict)
    badge: str = ""


@dataclass
class Section:
    """A part of the page, with its own filters."""

    id: str
    title: str
    lead: str
    figures: list[Figure] = field(default_factory=list)
    cases: list[Case] = field(default_factory=list)
    filters: list[Filter] = field(default_factory=list)

    def choices(self, name: str) -> list[str]:
        """The values that a filter offers, in the order in which they come up."""
        values: dict[str, None] = {}
        for figure in self.figures:
            if name in figure.filters:
                values |= {str(row[name]): None for row in figure.rows}
        values |= {case.keys[name]: None for case in self.cases if name in case.keys}
        return list(values)


def with_sentences(reader: Reader, ids: Iterable[str]) -> dict[str, Passage]:
    """The sentences of the given ids, with company, year and item."""
    wanted = sorted(set(ids))
    rows = reader.rows(
        "select sentence_id, sentence_text, concat_ws(', ', company_name, report_year, section_id) as source "
        "from corpus.fct_sentences where sentence_id in (select unnest(?::varchar[]))",
        [wanted],
    )
    return {
        row["sentence_id"]: Passage("", row["sentence_text"], f"{row['source']} · {row['sentence_id']}") for row in rows
    }
