"""Flat views of the public tables, in plain types, for tools that draw charts: `bi_<table>`.

A table that holds the same figure of several slices (populations, strata, windows, predicates) is
`bi_<table>_slices`, so that nobody averages over rows that are not there to be averaged; `bi_headline` has one row per
run and figure.

A list of plain values becomes text joined by "; ", a structure one column per field, JSON and times with a zone become
text and UTC. A list of structures becomes a table of its own, `bi_<table>_<column>`, with the keys of its row.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from finrag.publish.catalog import Described
from finrag.tables import literal, quoted

if TYPE_CHECKING:
    import duckdb
    from duckdb.sqltypes import DuckDBPyType

PREFIX = "bi_"
SUFFIX = "_slices"
# Columns of a table's grain by which a figure stands there more than once.
SLICES = {"population", "stratum_by", "gold_window", "gold_predicate", "variant", "rule", "class"}
# Registries that name or explain what the tables measure; patterns and frozen items stay in their schema.
REGISTRIES = (
    *("metrics", "retrieval_regimes", "retrieval_strategies", "embedding_models", "llm_models", "score_models"),
    *("alert_rules", "baselines", "published_figures"),
)
AS_THEY_ARE = (
    *("boolean", "tinyint", "smallint", "integer", "bigint", "float", "double", "date", "timestamp", "varchar"),
    *("utinyint", "usmallint", "uinteger"),
)
JOINED = "; "


def is_list(type_: DuckDBPyType) -> bool:
    return type_.id in ("list", "array")


def element(type_: DuckDBPyType) -> DuckDBPyType:
    return dict(type_.children)["child"]


def is_nested(type_: DuckDBPyType) -> bool:
    return is_list(type_) or type_.id in ("struct", "map", "union")


def flat_columns(name: str, type_: DuckDBPyType, expression: str) -> list[tuple[str, str]]:
    """(column, SQL) for a column of any type; none for a list of structures, which gets a view of its own."""
    if is_list(type_):
        if is_nested(element(type_)):
            return []
        return [(name, f"array_to_string({expression}::varchar[], {literal(JOINED)})")]
    if type_.id == "struct":
        return [
            column
            for child, child_type in type_.children
            for column in flat_columns(f"{name}_{child}", child_type, f"{expression}.{quoted(child)}")
        ]
    if str(type_).lower() in AS_THEY_ARE:
        return [(name, expression)]
    if type_.id == "timestamp with time zone":
        return [(name, f"timezone('UTC', {expression})")]
    if type_.id in ("hugeint", "uhugeint", "ubigint"):
        return [(name, f"{expression}::bigint")]
    if type_.id == "decimal":
        return [(name, f"{expression}::double")]
    if type_.id.startswith("timestamp"):
        return [(name, f"{expression}::timestamp")]
    return [(name, f"{expression}::varchar")]


def view_name(table: Described) -> str:
    """What the flat view of a table is called; one that is called bi_ already is made to be read as it is."""
    if table.name.startswith(PREFIX):
        return table.name
    return PREFIX + table.name + (SUFFIX if SLICES.intersection(table.grain) else "")


def columns_of(connection: duckdb.DuckDBPyConnection, table: Described) -> dict[str, DuckDBPyType]:
    relation = connection.table(f"{quoted(table.schema)}.{quoted(table.name)}")
    return dict(zip(relation.columns, relation.types, strict=True))


def select(columns: list[tuple[str, str]], source: str) -> str:
    return "select " + ", ".join(f"{sql} as {quoted(name)}" for name, sql in columns) + f" from {source}"


def create(connection: duckdb.DuckDBPyConnection, described: Described, query: str) -> Described:
    """A view in the schema that every client opens first, with its comments."""
    connection.execute(f"create view {quoted(described.name)} as {query}")
    comment(connection, described, "view")
    return described


def comment(connection: duckdb.DuckDBPyConnection, described: Described, kind: str) -> None:
    """Descriptions as comments, which SQL clients show beside the names."""
    full_name = f"{quoted(described.schema)}.{quoted(described.name)}"
    connection.execute(f"comment on {kind} {full_name} is {literal(described.description)}")
    present = {name for (name,) in connection.execute(f"select column_name from (describe {full_name})").fetchall()}
    for column, description in described.columns.items():
        if column in present and description:
            connection.execute(f"comment on column {full_name}.{quoted(column)} is {literal(description)}")


def create_star(connection: duckdb.DuckDBPyConnection, tables: list[Described]) -> list[Described]:
    """All flat views over tables that are there already; what was made."""
    names = {table.name for table in tables}
    made = []
    for table in tables:
        if table.schema == "seeds" and table.name not in REGISTRIES:
            continue
        types = columns_of(connection, table)
        source = f"{quoted(table.schema)}.{quoted(table.name)}"
        flat, columns = [], dict(table.columns)
        for name, type_ in types.items():
            fields = flat_columns(name, type_, quoted(name))
            if type_.id == "struct":
                columns |= {field: f"Of the structure: see {name} of {table.name}." for field, _ in fields}
            flat += fields
        flat_view = replace(table, schema="main", name=view_name(table), columns=columns)
        made.append(create(connection, flat_view, select(flat, source)))
        for name, type_ in types.items():
            bridge = f"{table.name}_{name}"
            # Some bundles have a model of that name already, one row per sentence.
            if is_list(type_) and is_nested(element(type_)) and bridge not in names:
                made.append(create_bridge(connection, table, types, name, bridge))
    return [*made, *create_dimensions(connection, tables)]


def create_bridge(
    connection: duckdb.DuckDBPyConnection,
    table: Described,
    types: dict[str, DuckDBPyType],
    column: str,
    bridge: str,
) -> Described:
    keys = [name for name in table.grain if name in types]
    fields = flat_columns("item", element(types[column]), "item")
    flat = [(key, quoted(key)) for key in keys] + [("position", "position")]
    flat += [(name.removeprefix("item_"), sql) for name, sql in fields]
    of_items = {name.removeprefix("item_"): f"Of the item: see {column} of {table.name}." for name, _ in fields}
    source = (
        f"(select {', '.join(map(quoted, keys))}, unnest({quoted(column)}) as item, "
        f"generate_subscripts({quoted(column)}, 1) as position from {quoted(table.schema)}.{quoted(table.name)})"
    )
    described = Described(
        schema="main",
        name=PREFIX + bridge,
        description=f"{table.columns.get(column, '')} One row per item of {column} of {table.schema}.{table.name}.",
        columns=of_items
        | {key: table.columns.get(key, "") for key in keys}
        | {"position": f"Place in {column}, from 1."},
    )
    return create(connection, described, select(flat, source))


def create_dimensions(connection: duckdb.DuckDBPyConnection, tables: list[Described]) -> list[Described]:
    """`bi_queries`: what the query_id of every table stands for, as `bi_runs` says of the run_id."""
    made = []
    by_name = {table.name: table for table in tables}
    if {"retrieval_queries", "p3_questions"} <= by_name.keys():
        queries, questions = by_name["retrieval_queries"], by_name["p3_questions"]
        of_question = ("category", "difficulty", "retrieval_scope", "answer_type", "answer_text", "gold_version")
        described = Described(
            schema="main",
            name=PREFIX + "queries",
            description="What a query_id stands for: an anchor sentence (p1, p2) or a question. One row per query.",
            columns=queries.columns | {name: questions.columns.get(name, "") for name in of_question},
        )
        made.append(
            create(
                connection,
                described,
                f"select queries.*, {', '.join(f'questions.{name}' for name in of_question)} "
                "from bi_retrieval_queries as queries left join bi_p3_questions as questions "
                "on queries.suite = questions.suite "
                "and queries.query_id = questions.suite || ':' || questions.question_id",
            )
        )
    return made
