"""Regimes: which sentences a search may look at, as rows of the registry seeds/retrieval_regimes.csv."""

from __future__ import annotations

from typing import TYPE_CHECKING

from finrag.errors import FinragError
from finrag.project import registry_of
from finrag.settings import named
from finrag.tables import literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

REGISTRY = "seeds/retrieval_regimes.csv"
FILTER_COLUMNS = ("filing_id", "cik", "report_year", "section_id", "section_heading", "form_type")


def filter_columns(regime: str, text: str | None) -> tuple[str, ...]:
    """The columns of a registry row; none for a search of everything."""
    named = tuple(dict.fromkeys((text or "").split()))
    unknown = [name for name in named if name not in FILTER_COLUMNS]
    if unknown:
        raise FinragError(
            f"{REGISTRY}: regime {regime} filters by {', '.join(unknown)}. Allowed: "
            f"{', '.join(FILTER_COLUMNS)}, separated by spaces, or nothing."
        )
    return named


def chosen_regimes(registry, names: str) -> dict[str, tuple[str, ...]]:
    """Filter columns of the regimes that the var retrieval_regimes names, from the seed as a DuckDB relation."""
    rows = dict(registry.order("regime").project("regime, filter_columns").fetchall())
    chosen = list(dict.fromkeys(names.split()))
    unknown = [name for name in chosen if name not in rows]
    if unknown or not chosen:
        raise FinragError(
            f"{named('retrieval_regimes', begins=True)} names {', '.join(unknown) or 'no regime'}. Allowed: "
            f"{', '.join(rows)}. Correct it, or add a row to {registry_of('retrieval_regimes')}."
        )
    return {name: filter_columns(name, rows[name]) for name in chosen}


def filter_expressions(queries: pa.Table, columns: Sequence[str]) -> list[str | None]:
    """Per query, the SQL condition that its values of the columns must be met; None where nothing is filtered."""
    if not columns:
        return [None] * queries.num_rows
    values = zip(*(queries[column].to_pylist() for column in columns), strict=True)
    return [" and ".join(_condition(*pair) for pair in zip(columns, row, strict=True)) for row in values]


def _condition(column: str, value: str | int | None) -> str:
    if value is None:
        return f"{column} is null"
    return f"{column} = {literal(value) if isinstance(value, str) else int(value)}"
