"""Models and macros in SQL that need nothing of dbt, run by DuckDB alone: tests of single rules in a second."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import duckdb
from jinja2 import Environment, Template

from csv_files import ROOT


def template(*path: str) -> Template:
    return Environment().from_string(ROOT.joinpath(*path).read_text(encoding="utf-8"))


def macro(name: str, file: str = "") -> Callable[..., str]:
    """A macro of macros/patterns/, from the file of its name unless it stands in another."""
    return getattr(template("macros", "patterns", f"{file or name}.sql").module, name)


def create_models(
    connection: duckdb.DuckDBPyConnection, folder: str, models: Iterable[str], macros: Iterable[Callable[..., str]]
) -> None:
    """The models as tables, in this order; whatever else they read are tables there already."""
    known = {macro.name: macro for macro in macros}
    for name in models:
        query = template("models", folder, f"{name}.sql").render(
            ref=lambda parent: parent, is_incremental=lambda: False, **known
        )
        connection.execute(f"create table {name} as {query}")
