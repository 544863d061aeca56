"""Relations in and out of models: names that their SQL asks for, and rows with types."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import pyarrow


def name_relations(session, **relations) -> None:
    """Let SQL of this session call each relation by the keyword, as a temporary view.

    A relation's own create_view leaves a view in schema main of the warehouse; those of earlier versions are dropped.
    """
    for name, relation in relations.items():
        session.execute(f"drop view if exists main.{name}")
        session.execute(f"create or replace temp view {name} as {relation.sql_query()}")


def as_relation(session, rows: Sequence[Mapping], columns: Mapping[str, str]):
    """The rows as a relation of the session, with columns of the DuckDB types given, also when there are none."""
    import pyarrow

    typed = session.sql("select " + ", ".join(f"null::{kind} as {name}" for name, kind in columns.items()))
    return session.from_arrow(pyarrow.Table.from_pylist(list(rows), schema=typed.to_arrow_table().schema))


def table_of(
    names: Sequence[str], rows: Sequence[tuple], texts: Collection[str], numbers: Collection[str], flags=()
) -> pyarrow.Table:
    """Rows as an Arrow table: texts, numbers (nan becomes null), flags, and whole numbers, of 32 bits if called k."""
    import numpy as np
    import pyarrow

    kinds = dict.fromkeys(texts, pyarrow.string()) | dict.fromkeys(flags, pyarrow.bool_()) | {"k": pyarrow.int32()}
    arrays = [
        pyarrow.array(np.array(column, float), from_pandas=True)
        if name in numbers
        else pyarrow.array(column, kinds.get(name, pyarrow.int64()))
        for name, column in zip(names, zip(*rows, strict=True) if rows else [()] * len(names), strict=True)
    ]
    return pyarrow.table(arrays, names=list(names))


def append(session, table: str, rows: Sequence[Mapping]) -> None:
    """Put rows into a table of the session, by the types that it has."""
    import pyarrow

    schema = session.table(table).limit(0).to_arrow_table().schema
    session.register("appended", pyarrow.Table.from_pylist(list(rows), schema=schema))
    session.execute(f"insert into {table} from appended")
    session.unregister("appended")


def is_of(session, table: str, columns: Iterable[str], checksum: str) -> bool:
    """Whether a table of the last build has these columns, and was made from the input of this checksum only."""
    schema, name = table.replace('"', "").split(".")[-2:]
    # information_schema.columns would go through the columns of all tables, DuckDB's own hundreds among them
    found = session.execute("from duckdb_tables() where schema_name = ? and table_name = ?", [schema, name]).fetchall()
    if not found or session.table(table).columns != list(columns):
        return False
    return session.execute(f"select distinct input_checksum from {table}").fetchall() == [(checksum,)]


def quoted(name: str) -> str:
    """A name of SQL, whatever it has in it."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text of SQL, whatever it has in it."""
    return "'" + text.replace("'", "''") + "'"


def matrix(column) -> np.ndarray:
    """(n, dimension) float32 view of a fixed-size list column without nulls."""
    import pyarrow as pa

    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    return array.flatten().to_numpy().reshape(len(array), array.type.list_size)
