"""Vars that name files, as ``name=path`` pairs with globs, and the rows that JSON, JSONL and Parquet files hold."""

from __future__ import annotations

import glob
import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from finrag.errors import FinragError

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


@dataclass(frozen=True)
class SourceRow:
    """One row of a file as it stands there, or the problem with it. number: 1-based, 0 for the file as a whole."""

    path: str
    number: int
    value: object = None
    problem: tuple[str, str] | None = None


def parse_setting(setting: str, option: str, form: str, is_name_needed: bool = False) -> list[tuple[str, Path]]:
    """(name, file) of every file that a var names, in order; a path without a name is named after its file.

    option: how the command line calls the var; form: a sentence that says what it takes. Raises FinragError.
    """
    try:
        parts = shlex.split(setting or "")
    except ValueError as error:
        raise FinragError(f"{option} cannot be read: {error}. {form}") from error
    files: dict[tuple[str, Path], None] = {}
    for part in parts:
        name, separator, pattern = part.partition("=")
        if not separator or (not is_name_needed and not NAME.fullmatch(name)):
            name, pattern = "", part
        if (is_name_needed and not separator) or not pattern:
            raise FinragError(f"{option} names {part!r} without a name or a path. {form}")
        if name and not NAME.fullmatch(name):
            raise FinragError(
                f"{option} gives the name {name!r}. Allowed are letters, digits and the characters _ . and -. {form}"
            )
        found = sorted(Path(path) for path in glob.glob(pattern, recursive=True) if Path(path).is_file())
        if not found:
            raise FinragError(f"{option} path {pattern!r} matches no file. {form}")
        files |= {(name or path.stem, path): None for path in found}
    return list(files)


def read_rows(path: Path) -> Iterator[SourceRow]:
    """The rows of a JSON, JSONL or Parquet file; a JSON object is one row, which the caller may take apart."""
    if path.suffix.lower() == ".parquet":
        yield from parquet_rows(path)
        return
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        yield SourceRow(str(path), 0, problem=("unreadable_file", str(error)))
        return
    try:
        whole = json.loads(text)
    except json.JSONDecodeError as error:
        lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
        if path.suffix.lower() == ".json" or not lines:
            yield SourceRow(str(path), 0, problem=("unreadable_file", f"no JSON: {error}"))
            return
        for number, line in lines:
            try:
                yield SourceRow(str(path), number, json.loads(line))
            except json.JSONDecodeError as fault:
                yield SourceRow(str(path), number, problem=("unreadable_row", f"no JSON: {fault}"))
        return
    for number, row in enumerate(whole if isinstance(whole, list) else [whole], start=1):
        yield SourceRow(str(path), number, row)


def parquet_rows(path: Path) -> Iterator[SourceRow]:
    import pyarrow
    from pyarrow import parquet

    try:
        table = parquet.read_table(path)
    except (OSError, pyarrow.ArrowException) as error:
        yield SourceRow(str(path), 0, problem=("unreadable_file", str(error).splitlines()[0]))
        return
    for number, row in enumerate(table.to_pylist(), start=1):
        yield SourceRow(str(path), number, row)


def as_text(value: object) -> str | None:
    """A text or a whole number as text; None for everything else and for blanks."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    return str(value).strip() or None
