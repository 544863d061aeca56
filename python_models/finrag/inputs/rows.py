"""The rows that JSON, JSONL, CSV and Parquet files hold, read one way; and what is wrong with one, in one shape.

Nothing is dropped: every row of a table that a loader makes holds data, or a ``reason`` in place of it, one word, with
the ``detail`` in words. The rows with a reason, of all loaders, are staging.input_problems.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from finrag.inputs.setting import NamedFile

QUOTED_CHARACTERS = 300


@dataclass(frozen=True)
class SourceRow:
    """One row of a file as it stands there, or what is wrong with it. number: 1-based, 0 for the file as a whole."""

    path: str
    number: int
    value: object = None
    reason: str | None = None
    detail: str | None = None

    def as_object(self) -> SourceRow:
        """The row, unreadable where it is no object."""
        if self.reason is not None or isinstance(self.value, Mapping):
            return self
        detail = f"{type(self.value).__name__} where an object is expected"
        return SourceRow(self.path, self.number, reason="unreadable_row", detail=detail)


def read_rows(file: NamedFile, has_csv: bool = False) -> Iterator[SourceRow]:
    """The rows of a file, by its ending; a JSON object is one row, which the caller may take apart.

    has_csv: whether CSV is read too, of which every value is a text. A file that cannot be read is one row, number 0.
    """
    import pyarrow

    path = Path(file.path)
    try:
        if path.suffix.lower() == ".parquet":
            yield from parquet_rows(path)
        elif has_csv and path.suffix.lower() == ".csv":
            yield from csv_rows(path)
        else:
            yield from json_rows(path)
    except (OSError, ValueError, csv.Error, pyarrow.ArrowException) as error:
        detail = (str(error).splitlines() or [type(error).__name__])[0][:QUOTED_CHARACTERS]
        yield SourceRow(file.path, 0, reason="unreadable_file", detail=detail)


def json_rows(path: Path) -> Iterator[SourceRow]:
    text = path.read_text(encoding="utf-8-sig")
    try:
        whole = json.loads(text)
    except json.JSONDecodeError as error:
        lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
        if path.suffix.lower() == ".json" or not lines:
            raise ValueError(f"no JSON: {error}") from error
        for number, line in lines:
            try:
                yield SourceRow(str(path), number, json.loads(line))
            except json.JSONDecodeError as fault:
                yield SourceRow(str(path), number, reason="unreadable_row", detail=f"no JSON: {fault}")
        return
    for number, row in enumerate(whole if isinstance(whole, list) else [whole], start=1):
        yield SourceRow(str(path), number, row)


def csv_rows(path: Path) -> Iterator[SourceRow]:
    csv.field_size_limit(1 << 30)
    text = io.StringIO(path.read_text(encoding="utf-8-sig"), newline="")
    for number, row in enumerate(list(csv.DictReader(text)), start=1):
        yield SourceRow(str(path), number, row)


def parquet_rows(path: Path) -> Iterator[SourceRow]:
    from pyarrow import parquet

    for number, row in enumerate(parquet.read_table(path).to_pylist(), start=1):
        yield SourceRow(str(path), number, row)


def as_text(value: object) -> str | None:
    """A text or a whole number as text; None for everything else and for blanks."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    return str(value).strip() or None


# Types of the fields of a row. The description says what a value ought to be.
LooseText = Annotated[str | None, BeforeValidator(as_text)]
Text = Annotated[str | None, Field(description="a text")]
Texts = Annotated[list[str] | None, Field(description="a list of texts")]
Boolean = Annotated[bool | None, Field(description="true or false")]
Number = Annotated[float | None, Field(description="a number")]
Amount = Annotated[Annotated[float, Field(ge=0)] | None, Field(description="a number of at least 0")]


class Row(BaseModel):
    """Fields of a row that a loader reads; others are ignored."""

    model_config = ConfigDict(extra="ignore", strict=True, allow_inf_nan=False)

    @classmethod
    def read(cls, stated: Mapping) -> tuple[Row, dict[str, str]]:
        """The row without the values that are not of their kind, and what is wrong with these, by field, in order."""
        known = {name: stated[name] for name in cls.model_fields if name in stated}
        try:
            return cls.model_validate(known), {}
        except ValidationError as error:
            wrong = dict.fromkeys(fault["loc"][0] for fault in error.errors())
        faults = {
            name: f"{name}: {str(known[name])[:80]!r} is not {cls.model_fields[name].description}" for name in wrong
        }
        return cls.model_validate({name: value for name, value in known.items() if name not in wrong}), faults


def without_repeats(items: Iterable) -> Iterator:
    """The items, a second one with the id of an earlier one in its data set rejected.

    An item has dataset, source_id, file_path, source_row, reason, and a method rejected(reason, detail).
    """
    seen: dict = {}
    for item in items:
        if item.reason is None:
            first = seen.setdefault((item.dataset, item.source_id), item)
            if first is not item:
                item.rejected("duplicate_id", f"row {first.source_row} of {first.file_path} has this id")
        yield item
