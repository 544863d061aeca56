"""The layouts of corpus files, and which of them the columns of a file are of."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

# The layout that is no table: a file is a filing.
HTML_LAYOUT = "edgar_html"
# The layout of what need not be a 10-K, and the formats of it.
DOCUMENT_LAYOUT = "documents"
DOCUMENT_FORMATS = ("pdf", "text")
# The layout of tables of documents, whose any_column_like is the id and not an item.
TABLE_LAYOUT = "document_tables"
# After the name of a layout's column that holds an object of JSON.
OBJECT = "{}"


@dataclass(frozen=True)
class Layout:
    """One row of seeds/corpus_layouts.csv: how a file is recognised.

    required_columns: every one must be present (case-insensitive), one that ends in {} as an object; a layout without
    any is no table.
    any_column_like: at least one column must match this regular expression, unless it is empty.
    other_columns: further ones that are read where they are there.
    """

    layout: str
    level: str
    required_columns: tuple[str, ...]
    any_column_like: str
    other_columns: tuple[str, ...] = ()

    def fits(self, columns: Iterable[str]) -> bool:
        return bool(self.required_columns) and not self.lacks(columns)

    def lacks(self, columns: Iterable[str]) -> list[str]:
        """What it is recognised by and is not among the columns."""
        present = {column.lower() for column in columns}
        wanted = [column.removesuffix(OBJECT) for column in self.required_columns]
        missing = [column for column in wanted if column.lower() not in present]
        if self.any_column_like and not any(self.is_item(column) for column in present):
            missing.append(f"one like {self.any_column_like}")
        return missing

    def reads(self, column: str) -> bool:
        """Whether it is one of the columns that a file is recognised by and that hold texts or numbers."""
        return column.lower() in {name.lower() for name in self.required_columns} or self.is_item(column)

    def is_text(self, column: str) -> bool:
        """Whether it is one of them and no date."""
        return self.reads(column) and "date" not in column.lower()

    def is_item(self, column: str) -> bool:
        return bool(self.any_column_like) and bool(re.fullmatch(self.any_column_like, column, re.IGNORECASE))

    def expectation(self) -> str:
        if not self.required_columns:
            return (
                f"{self.layout} ({'a 10-K in HTML' if self.layout == HTML_LAYOUT else 'a PDF, HTML, Markdown or text'})"
            )
        wanted = ", ".join(column.removesuffix(OBJECT) for column in self.required_columns)
        return f"{self.layout} ({wanted}{' and one like ' + self.any_column_like if self.any_column_like else ''})"


def layout_of(columns: Iterable[str], layouts: Sequence[Layout], names: Mapping[str, str] | None) -> Layout | None:
    """The first layout that the columns are of, called by their own names or by those that a project gives them."""
    known = [*columns, *own_names(columns, names).values()]
    return next((layout for layout in layouts if layout.fits(known)), None)


def nearest(columns: Iterable[str], layouts: Sequence[Layout], names: Mapping[str, str] | None) -> str | None:
    """What the columns lack of the layout that they have most of; None where they have half or less of any."""
    known = [*columns, *own_names(columns, names).values()]
    shares = {
        layout: len(layout.lacks(known)) / (len(layout.required_columns) + bool(layout.any_column_like))
        for layout in layouts
        if layout.required_columns
    }
    near = min(shares, key=shares.get, default=None)
    if near is None or shares[near] >= 0.5:
        return None
    return f"for {near.expectation()} also {', '.join(near.lacks(known))}"


def own_names(columns: Iterable[str], names: Mapping[str, str] | None) -> dict[str, str]:
    """A layout's names for the columns that a project calls otherwise."""
    called = {theirs.lower(): name for name, theirs in (names or {}).items()}
    return {column: called[column.lower()] for column in columns if column.lower() in called}


def read_layouts(relation) -> list[Layout]:
    """Layouts in order of precedence from the seed corpus_layouts."""
    columns = "layout, level, required_columns, any_column_like, other_columns"
    return [
        Layout(name, level, listed(required), like or "", listed(others))
        for name, level, required, like, others in relation.order("precedence").project(columns).fetchall()
    ]


def listed(columns: str | None) -> tuple[str, ...]:
    return tuple(columns.split("|")) if columns else ()
