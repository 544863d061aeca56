"""A project's own rows of registries, and the seeds with them in place.

They stand in finrag.toml (`[[registry.embedding_models]]`) or in files beside it (`registry/embedding_models.csv`). A
row whose key the registry has already takes that row's place and keeps what it leaves out.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path

from finrag.cli import toml
from finrag.errors import FinragError
from finrag.inputs.registries import Registry, Row, faults, rows_of_csv
from finrag.spelling import did_you_mean

# What is frozen from a project's own runs stands in the place of what the demo's runs froze.
REPLACED = ("baselines", "baseline_items")


def own_rows(file: Path, folder: Path) -> dict[str, list[Row]]:
    """The project's rows by registry."""
    found: dict[str, list[Row]] = {}
    registries = toml.read(file).get(toml.REGISTRY, {})
    if not isinstance(registries, dict):
        raise FinragError(
            f"{file}: {toml.REGISTRY} is no table. Write [[{toml.REGISTRY}.embedding_models]] and the like."
        )
    for name, rows in registries.items():
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise FinragError(f"{file}: {toml.REGISTRY}.{name} holds no rows. Write [[{toml.REGISTRY}.{name}]].")
        found[name] = [
            Row(f"{file}, {toml.REGISTRY}.{name}, row {number}", {column: text(value) for column, value in row.items()})
            for number, row in enumerate(rows, start=1)
        ]
    for path in sorted(folder.glob("*.csv")):
        for row in rows_of_csv(path):
            found.setdefault(path.stem, []).append(row)
    return found


def text(value: object) -> str:
    """As a CSV states it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def merged(seeds: Path, file: Path, folder: Path) -> dict[str, str]:
    """The seeds that have rows of the project's own, as CSV by file name. Raises FinragError naming row and column."""
    rows = own_rows(file, folder)
    known = {path.stem: Registry(path) for path in sorted(seeds.glob("*.csv"))}
    problems = [
        f"{own[0].place if own else file}: there is no registry {name}. {nearest(name, known)}"
        for name, own in sorted(rows.items())
        if name not in known
    ]
    rows = {name: completed(known[name], own) for name, own in rows.items() if name in known}
    together = {name: combined(known[name], own) for name, own in rows.items()}
    problems += [
        problem
        for name, own in rows.items()
        for problem in faults(known[name], own, lambda other: together.get(other, known[other].rows))
    ]
    if problems:
        raise FinragError("\n".join(problems))
    return {f"{name}.csv": as_csv(known[name].types, values) for name, values in together.items()}


def nearest(name: str, known: Iterable[str]) -> str:
    known = list(known)
    return did_you_mean(name, known, most=3, alike=0.5).strip() or f"Registries: {', '.join(known)}."


def completed(registry: Registry, own: list[Row]) -> list[Row]:
    """The project's rows; what one leaves out is as in the registry's row of the same key."""
    if registry.name in REPLACED:
        return own
    product = {registry.key_of(values): values for values in registry.rows}
    nothing = dict.fromkeys(registry.types, "")
    return [Row(row.place, product.get(registry.key_of(nothing | row.values), {}) | row.values) for row in own]


def combined(registry: Registry, own: list[Row]) -> list[dict[str, str]]:
    """The registry's rows and the project's, those of the project in the place of those with their key."""
    given = [{column: row.values.get(column, "") for column in registry.types} for row in own]
    if registry.name in REPLACED:
        return given
    replaced = {registry.key_of(values) for values in given}
    return [values for values in registry.rows if registry.key_of(values) not in replaced] + given


def as_csv(columns: Iterable[str], rows: list[dict[str, str]]) -> str:
    written = io.StringIO()
    writer = csv.DictWriter(written, list(columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return written.getvalue()
