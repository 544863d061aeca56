"""How DuckDB is told to read one file of a corpus."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from finrag.tables import literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

REMOTE = re.compile(r"^[a-z][a-z0-9+.-]+://")
# Stated rather than sniffed: filing text is full of other delimiters, and a wrong guess makes one column of a line.
# What is not stated is guessed: that all above a longer line is no table, that lines with a # in front are comments.
CSV_DIALECT = "all_varchar = true, header = true, skip = 0, comment = '', delim = ',', quote = '\"', escape = '\"'"
# Folders such as year=2018/ are no columns of the files in them.
NO_FOLDERS = "hive_partitioning = false"
# One filing is one JSON object; DuckDB's default limit of 16 MB is below the largest 10-Ks.
MAXIMUM_JSON_OBJECT_BYTES = 256 * 1024 * 1024
# A line that is no JSON is a row of nulls then, and the others stay where they are.
BY_LINE = "format = 'newline_delimited', ignore_errors = true"
# A record with fewer fields than others is filled up with nulls then; DuckDB does that on one thread alone.
BY_RECORD = "auto_detect = false, null_padding = true, parallel = false"


def reader(file_format: str, path: str, columns: Mapping[str, str] | None = None, is_damaged: bool = False) -> str:
    """The DuckDB table function that reads one file, the same that the staging macro writes.

    columns: types by name, which JSON may and a damaged CSV has to be read by.
    """
    file = literal(pattern_of(path))
    if file_format == "parquet":
        return f"read_parquet({file}, {NO_FOLDERS})"
    kinds = ", ".join(f"{literal(name)}: '{kind}'" for name, kind in (columns or {}).items())
    if file_format == "csv":
        by_record = f", columns = {{{kinds}}}, {BY_RECORD}" if is_damaged else ""
        return f"read_csv({file}, {CSV_DIALECT}{by_record}, {NO_FOLDERS})"
    typed = "" if columns is None else f", columns = {{{kinds}}}"
    by_line = f", {BY_LINE}" if is_damaged else ""
    return f"read_json({file}, maximum_object_size = {MAXIMUM_JSON_OBJECT_BYTES}{typed}{by_line}, {NO_FOLDERS})"


def reader_by_line(path: str, columns: Sequence[str]) -> str:
    """What reads a CSV of these columns and names the line that is no row of it, which the sniffer does not."""
    kinds = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in columns)
    dialect = CSV_DIALECT.removeprefix("all_varchar = true, ")
    return f"read_csv({literal(pattern_of(path))}, {dialect}, columns = {{{kinds}}}, auto_detect = false, {NO_FOLDERS})"


def pattern_of(path: str) -> str:
    """The pattern that DuckDB reads this one file by: it takes every path for a glob."""
    return path if REMOTE.match(path) else re.sub(r"[\[*?]", r"[\g<0>]", path)
