"""A project's own rows of registries, held to the schema of the registry, and the seeds with them in place.

They stand in finrag.toml (`[[registry.embedding_models]]`) or in files beside it (`registry/embedding_models.csv`). A
row whose key the registry has already takes that row's place.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import yaml

from finrag.cli import toml
from finrag.errors import FinragError

# What is frozen from a project's own runs stands in the place of what the demo's runs froze.
REPLACED = ("baselines", "baseline_items")


@dataclass(frozen=True)
class Row:
    """A row of one's own. place: where it stands, for people. values: texts by column, empty for none."""

    place: str
    values: dict[str, str]


@dataclass(frozen=True)
class Registry:
    """A seed as its .yml describes it."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.stem

    @cached_property
    def described(self) -> dict:
        return yaml.safe_load(self.path.with_suffix(".yml").read_text(encoding="utf-8"))["seeds"][0]

    @property
    def types(self) -> dict[str, str]:
        return self.described["config"]["column_types"]

    @cached_property
    def tests(self) -> list[tuple[str, str, dict]]:
        """Column, name and arguments of every test of a column that is of all rows."""
        return [
            (column["name"], *((test, {}) if isinstance(test, str) else named(test)))
            for column in self.described["columns"]
            for test in column.get("data_tests", [])
            if isinstance(test, str) or "where" not in test.get("config", next(iter(test.values())).get("config", {}))
        ]

    def columns_with(self, test: str) -> list[str]:
        return [column for column, name, _ in self.tests if name == test]

    @property
    def key(self) -> list[str]:
        """The columns that a row is known by."""
        combined = [
            named(test)[1]["columns"] for test in self.described.get("data_tests", []) if "unique_combination" in test
        ]
        return combined[0] if combined else self.columns_with("unique")[:1]

    @cached_property
    def rows(self) -> list[dict[str, str]]:
        with self.path.open(encoding="utf-8", newline="") as stream:
            return list(csv.DictReader(stream))

    def key_of(self, values: Mapping[str, str]) -> tuple[str, ...]:
        return tuple(values[column] for column in self.key)


def named(test: dict) -> tuple[str, dict]:
    [(name, stated)] = [(name, stated) for name, stated in test.items() if name != "config"]
    return name, stated.get("arguments", {})


def own_rows(file: Path, folder: Path) -> dict[str, list[Row]]:
    """The project's rows by registry."""
    found: dict[str, list[Row]] = {}
    for name, rows in toml.read(file).get(toml.REGISTRY, {}).items():
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise FinragError(f"{file}: {toml.REGISTRY}.{name} holds no rows. Write [[{toml.REGISTRY}.{name}]].")
        found[name] = [
            Row(f"{file}, {toml.REGISTRY}.{name}, row {number}", {column: text(value) for column, value in row.items()})
            for number, row in enumerate(rows, start=1)
        ]
    for path in sorted(folder.glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as stream:
            for row in (lines := csv.DictReader(stream)):
                if None in row or None in row.values():
                    raise FinragError(f"{path}, line {lines.line_num}: it has not as many values as there are columns.")
                found.setdefault(path.stem, []).append(Row(f"{path}, line {lines.line_num}", row))
    return found


def text(value: object) -> str:
    """As a CSV states it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def merged(seeds: Path, file: Path, folder: Path) -> dict[str, str]:
    """The seeds that have rows of the project's own, as CSV by file name. Raises FinragError naming row and column."""
    rows = own_rows(file, folder)
    known = {path.stem: Registry(path) for path in sorted(seeds.glob("*.csv"))}
    if unknown := sorted(rows.keys() - known.keys()):
        raise FinragError(f"There is no registry {', '.join(unknown)}. Registries: {', '.join(known)}.")
    together = {name: combined(known[name], own) for name, own in rows.items()}
    problems = [
        problem
        for name, own in rows.items()
        for problem in faults(known[name], own, lambda other: together.get(other, known[other].rows))
    ]
    if problems:
        raise FinragError("\n".join(problems))
    return {f"{name}.csv": as_csv(known[name].types, values) for name, values in together.items()}


def combined(registry: Registry, own: list[Row]) -> list[dict[str, str]]:
    """The registry's rows and the project's, those of the project in the place of those with their key."""
    given = [{column: row.values.get(column, "") for column in registry.types} for row in own]
    if registry.name in REPLACED:
        return given
    replaced = {registry.key_of(values) for values in given}
    return [values for values in registry.rows if registry.key_of(values) not in replaced] + given


def faults(registry: Registry, own: Iterable[Row], rows_of) -> list[str]:
    """What is wrong with rows, each with the row and the column; rows_of: all rows of a registry by its name."""
    import duckdb

    # a connection of its own: on DuckDB's shared one a result that somebody has not read to its end is in the way
    connection = duckdb.connect()
    found, seen = [], {}
    for row in own:
        values = {column: row.values.get(column, "") for column in registry.types}
        for column in row.values.keys() - registry.types.keys():
            found.append(f"{row.place}, column {column}: there is none. Columns: {', '.join(registry.types)}.")
        for column, type_ in registry.types.items():
            cast = f"select try_cast(? as {type_}) is null"
            if values[column] and connection.execute(cast, [values[column]]).fetchone()[0]:
                found.append(f"{row.place}, column {column}: {values[column]!r} is no {type_}.")
        for column, test, arguments in registry.tests:
            value = values[column]
            if test == "not_null" and not value:
                found.append(f"{row.place}, column {column}: it must not be empty.")
            elif test == "accepted_values" and value and value not in map(str, arguments["values"]):
                allowed = ", ".join(map(str, arguments["values"]))
                found.append(f"{row.place}, column {column}: {value!r} is not allowed. Allowed: {allowed}.")
            elif test == "relationships" and value:
                other = arguments["to"].split("'")[1]
                if value not in {held[arguments["field"]] for held in rows_of(other)}:
                    found.append(f"{row.place}, column {column}: the registry {other} has no {value!r}.")
        if values.get("pattern"):
            try:
                connection.execute("select regexp_matches('', ?)", [values["pattern"]]).fetchone()
            except duckdb.Error as error:
                found.append(f"{row.place}, column pattern: it is no RE2 pattern: {str(error).splitlines()[0]}")
        key = registry.key_of(values)
        if key in seen:
            found.append(f"{row.place}, column {', '.join(registry.key)}: {seen[key]} has the same.")
        seen[key] = row.place
    return found


def as_csv(columns: Iterable[str], rows: list[dict[str, str]]) -> str:
    written = io.StringIO()
    writer = csv.DictWriter(written, list(columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return written.getvalue()
