"""What the project publishes, read from dbt's manifest: its public tables with their grain and their descriptions."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from finrag.errors import FinragError
from finrag.project import command, dbt_target

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Described:
    """A public table as its .yml describes it."""

    schema: str
    name: str
    description: str
    columns: dict[str, str] = field(default_factory=dict)
    grain: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        return self.schema, self.name


def manifest_path() -> Path:
    return dbt_target() / "manifest.json"


def read_manifest(path: Path) -> dict | None:
    """What dbt noted of the project; None where there is none, or what a loss of power left of one."""
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return manifest if isinstance(manifest, dict) else None


def described_tables(path: Path) -> list[Described]:
    """Every public model, in the order of its name."""
    if not path.exists():
        raise FinragError(
            f"There is no {path}, which names and describes the public tables. dbt writes it: {command('build')}"
        )
    manifest = read_manifest(path)
    if manifest is None:
        raise FinragError(
            f"{path}, which names and describes the public tables, is damaged. dbt writes it anew: {command('build')}"
        )
    grains = grains_by_node(manifest)
    tables = [
        Described(
            schema=node["schema"],
            name=node["alias"],
            description=single_line(node["description"]),
            columns={name: single_line(column["description"]) for name, column in node["columns"].items()},
            grain=grains.get(unique_id, ()),
        )
        for unique_id, node in manifest["nodes"].items()
        if node["resource_type"] == "model" and node["access"] == "public"
    ]
    return sorted(tables, key=lambda table: table.key)


def grains_by_node(manifest: dict) -> dict[str, tuple[str, ...]]:
    """The columns that a data test holds to be unique, by node."""
    grains: dict[str, tuple[str, ...]] = {}
    for node in manifest["nodes"].values():
        test = node.get("test_metadata") or {}
        if test.get("name") == "unique":
            grains.setdefault(node["attached_node"], (test["kwargs"]["column_name"],))
        elif test.get("name") == "unique_combination":
            grains[node["attached_node"]] = tuple(test["kwargs"]["columns"])
    return grains


def fingerprint(tables: list[Described]) -> str:
    """Changes with any name or description, and with nothing else of the manifest."""
    stated = [(table.key, table.description, sorted(table.columns.items()), table.grain) for table in tables]
    return hashlib.sha256(json.dumps(stated).encode()).hexdigest()[:16]


def single_line(text: str) -> str:
    return " ".join(text.split())
