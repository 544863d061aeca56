"""Registries: the seeds of the project, each read and checked by the schema that its .yml states."""

from __future__ import annotations

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from finrag.errors import FinragError
from finrag.inputs.files import read_text
from finrag.project import load_yaml


@cache
def description_in(text: str) -> dict:
    """Of a seed, by its .yml, which the checks before a build look into some twenty times."""
    return load_yaml(text)["seeds"][0]


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
        return description_in(self.path.with_suffix(".yml").read_text(encoding="utf-8"))

    @cached_property
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

    @cached_property
    def conditions(self) -> list[str]:
        """What every row meets, in SQL."""
        stated = map(named, self.described.get("data_tests", []))
        return [arguments["condition"].strip() for test, arguments in stated if test == "every_row"]

    def columns_with(self, test: str) -> list[str]:
        return [column for column, name, _ in self.tests if name == test]

    @cached_property
    def key(self) -> list[str]:
        """The columns that a row is known by."""
        combined = [
            named(test)[1]["columns"] for test in self.described.get("data_tests", []) if "unique_combination" in test
        ]
        return combined[0] if combined else self.columns_with("unique")[:1]

    @cached_property
    def stated(self) -> list[Row]:
        """Its rows. Raises FinragError where the file is none of the registry's."""
        return rows_of_csv(self.path, self.types)

    @property
    def rows(self) -> list[dict[str, str]]:
        return [row.values for row in self.stated]

    def key_of(self, values: Mapping[str, str]) -> tuple[str, ...]:
        return tuple(values[column] for column in self.key)


def named(test: dict) -> tuple[str, dict]:
    [(name, stated)] = [(name, stated) for name, stated in test.items() if name != "config"]
    return name, stated.get("arguments", {})


def rows_of_csv(path: Path, needed: Iterable[str] = ()) -> list[Row]:
    """The rows below a CSV file's header. Raises FinragError naming the line, or what of the needed columns lacks."""
    rows: list[Row] = []
    try:
        lines = csv.reader(io.StringIO(read_text(path), newline=""), strict=True)
        header = next(lines, [])
        if repeated := [column for column, times in Counter(header).items() if times > 1]:
            raise FinragError(f"{path}, line 1: the column {', '.join(repeated)} stands there twice. Take one away.")
        if lacking := [column for column in needed if column not in header]:
            raise FinragError(f"{path}: the columns {', '.join(lacking)} are missing.")
        for values in lines:
            if values and len(values) != len(header):
                raise FinragError(
                    f"{path}, line {lines.line_num}: it has {len(values)} values where there are {len(header)} columns."
                )
            if values:
                rows.append(Row(f"{path}, line {lines.line_num}", dict(zip(header, values, strict=True))))
        return rows
    except csv.Error as error:
        raise FinragError(f"{path}, line {lines.line_num}: {error}. Look for a quote without its other.") from error
    except (OSError, ValueError) as error:
        raise FinragError(f"{path} {error}.") from error


def check(folder: Path) -> None:
    """Raises FinragError with all that is wrong with the registries of a folder, each with its row and column."""
    registries = {path.stem: Registry(path) for path in sorted(folder.glob("*.csv"))}
    problems: list[str] = []
    for registry in registries.values():
        problems += faults(registry, registry.stated, lambda other: registries[other].rows)
    if problems:
        raise FinragError("\n".join(problems))


def faults(registry: Registry, own: Iterable[Row], rows_of) -> list[str]:
    """What is wrong with rows, each with the row and the column; rows_of: all rows of a registry by its name."""
    own = list(own)
    found: dict[int, list[str]] = defaultdict(list)
    for column, number in no_columns(registry, own):
        found[number].append(f"column {column}: there is none. Columns: {', '.join(registry.types)}.")
    values = {column: [row.values.get(column, "") for row in own] for column in registry.types}
    for column, type_ in registry.types.items():
        for number in not_of_type(values[column], type_):
            found[number].append(f"column {column}: {values[column][number]!r} is no {type_}.")
    for column, test, arguments in registry.tests:
        known = None
        if test == "relationships":
            other = arguments["to"].split("'")[1]
            known = {held[arguments["field"]] for held in rows_of(other)}
        for number, value in enumerate(values[column]):
            if test == "not_null" and not value:
                found[number].append(f"column {column}: it must not be empty.")
            elif test == "accepted_values" and value and value not in map(str, arguments["values"]):
                allowed = ", ".join(map(str, arguments["values"]))
                found[number].append(f"column {column}: {value!r} is not allowed. Allowed: {allowed}.")
            elif known is not None and value and value not in known:
                found[number].append(f"column {column}: the registry {other} has no {value!r}.")
    for number, fault in no_patterns(values.get("pattern", [])):
        found[number].append(f"column pattern: it is no RE2 pattern: {fault}")
    seen: dict[tuple, str] = {}
    for number, row in enumerate(own):
        key = tuple(values[column][number] for column in registry.key)
        if key in seen:
            found[number].append(f"column {', '.join(registry.key)}: {seen[key]} has the same.")
        seen[key] = row.place
    for condition in registry.conditions:
        for number in not_meeting(values, registry.types, condition):
            if number not in found:
                found[number].append(f"it must hold that {condition}.")
    said = Counter(fault for of_row in found.values() for fault in of_row)
    first = {fault: number for number in sorted(found, reverse=True) for fault in found[number]}
    return [
        f"{own[number].place}, {fault}{f' The same of {said[fault] - 1:,} rows more.' if said[fault] > 1 else ''}"
        for fault, number in sorted(first.items(), key=lambda each: each[1])
    ]


def no_columns(registry: Registry, own: list[Row]) -> Iterator[tuple[str, int]]:
    """Columns that the registry does not have, once each, with the first row that has them."""
    named: set[str] = set()
    for number, row in enumerate(own):
        for column in row.values.keys() - registry.types.keys() - named:
            named.add(column)
            yield column, number


def not_of_type(values: list[str], type_: str) -> list[int]:
    """Places of values that are no literals of a DuckDB type, or no finite ones; empty is null, and of every type."""
    if type_.lower() == "varchar" or not any(values):
        return []
    is_finite = f"isfinite(try_cast(value as {type_}))" if type_.lower() in ("double", "float") else "true"
    if type_.lower() in ("integer", "bigint"):  # to which DuckDB rounds
        is_finite = "coalesce(try_cast(value as double) = trunc(try_cast(value as double)), true)"
    cast = f"""
        select place - 1
        from unnest(?::varchar[]) with ordinality as stated (value, place)
        where value != '' and (try_cast(value as {type_}) is null or not {is_finite}) order by place
    """
    return [place for (place,) in connection().execute(cast, [values]).fetchall()]


def not_meeting(values: Mapping[str, list[str]], types: Mapping[str, str], condition: str) -> list[int]:
    """Places of the rows that a condition is not true of."""
    columns = ", ".join(
        f"try_cast(nullif(unnest(${number}::varchar[]), '') as {type_}) as {column}"
        for number, (column, type_) in enumerate(types.items(), start=1)
    )
    count = len(next(iter(values.values())))
    asked = f"select place from (select unnest(range({count})) as place, {columns}) where ({condition}) is not true"
    return sorted(place for (place,) in connection().execute(asked, [values[column] for column in types]).fetchall())


def no_patterns(patterns: list[str]) -> Iterator[tuple[int, str]]:
    """Places of what is no pattern that DuckDB takes, with why."""
    import duckdb

    asked = connection()
    try:
        asked.execute("select count(regexp_matches('', pattern)) from unnest(?::varchar[]) as t (pattern)", [patterns])
        return
    except duckdb.Error:
        pass  # which one it is, and why, is asked of each
    for place, pattern in enumerate(patterns):
        try:
            asked.execute("select regexp_matches('', ?)", [pattern]).fetchone()
        except duckdb.Error as error:
            yield place, str(error).splitlines()[0]


@cache
def connection():
    """One of its own: on DuckDB's shared one a result that somebody has not read to its end is in the way."""
    import duckdb

    return duckdb.connect()
