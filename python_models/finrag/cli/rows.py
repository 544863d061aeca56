"""Rows of a query as people read them: a table that fits the terminal, or column by column where none fits."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from duckdb import DuckDBPyRelation
from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

# Cells of text are wrapped, down to so many characters: in fewer, a sentence is a column of single words.
LEAST_TEXT = 18
# No cell is markup, and nothing is coloured for what it looks like.
AS_IT_STANDS = {"color_system": None, "highlight": False, "markup": False, "emoji": False}
NUMBERS = {f"{sign}{size}int" for sign in ("", "u") for size in ("tiny", "small", "big", "huge")}
NUMBERS |= {"integer", "uinteger", "float", "double", "decimal"}


def print_rows(relation: DuckDBPyRelation) -> None:
    """Print every row, and all of every cell; what is null is left blank.

    Where the columns do not fit the terminal even with text wrapped, each row is printed column by column. What no
    terminal shows has one line to a row, as long as it takes; COLUMNS sets another width.
    """
    columns, are_numbers = relation.columns, [kind.id in NUMBERS for kind in relation.types]
    rows = [[value or "" for value in row] for row in relation.project("columns(*)::varchar").fetchall()]
    widths = [max(map(cell_len, column)) for column in zip(columns, *rows, strict=True)]
    wrapped = [
        width if is_number else min(width, LEAST_TEXT) for width, is_number in zip(widths, are_numbers, strict=True)
    ]
    rules = 3 * len(columns) + 1
    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else sum(widths) + rules
    console = Console(width=width, **AS_IT_STANDS)
    if sum(wrapped) + rules <= console.width:
        console.print(as_table(columns, are_numbers, rows))
    else:
        for number, row in enumerate(rows, 1):
            console.print(f"── {number} ──", as_record(columns, row))


def as_table(columns: Sequence[str], are_numbers: Sequence[bool], rows: Sequence[Sequence[str]]) -> Table:
    table = Table(box=box.ROUNDED)
    for name, is_number in zip(columns, are_numbers, strict=True):
        table.add_column(name, justify="right" if is_number else "left", no_wrap=is_number, overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


def as_record(columns: Sequence[str], row: Sequence[str]) -> Table:
    record = Table.grid(padding=(0, 2, 0, 0))
    record.add_column(no_wrap=True)
    record.add_column(overflow="fold")
    for name, value in zip(columns, row, strict=True):
        record.add_row(name, value)
    return record
