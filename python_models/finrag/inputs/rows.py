"""The rows that JSON, JSONL, CSV and Parquet files hold, read one way; and what is wrong with one, in one shape.

Nothing is dropped: every row of a table that a loader makes holds data, or a ``reason`` in place of it, one word, with
the ``detail`` in words. The rows with a reason, of all loaders, are staging.input_problems.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from pathlib import PurePath
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from finrag.inputs.files import (
    LARGEST_BYTES,
    LARGEST_ROWS,
    Unreadable,
    check,
    decode,
    decode_line,
    fault_of_header,
    nan_as_null,
    no_number,
    read_content,
    read_text,
    shorten,
)
from finrag.inputs.setting import NamedFile

ROWS_AT_A_TIME = 1024
# Counts, costs and times beyond it are mistakes, and do not fit into the columns that hold them.
LARGEST_AMOUNT = 1e15
# From here on a float no longer tells one whole number from the next.
LARGEST_WHOLE_FLOAT = 2**53


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


def read_rows(file: NamedFile, has_csv: bool = False, has_nan: bool = False) -> Iterator[SourceRow]:
    """The rows of a file, by its ending; a JSON object is one row, which the caller may take apart.

    has_csv: whether CSV is read, of which every value is a text. has_nan: whether NaN, which is no JSON, is null in
    it. A file that cannot be read whole, or has no rows, is one row, number 0.
    """
    import pyarrow

    name = file.path.lower().removesuffix(".gz")
    try:
        if name.endswith(".parquet"):
            values = parquet_rows(read_content(file.path))
        elif name.endswith(".csv"):
            if not has_csv:
                raise ValueError("is CSV, in which all values are texts; give JSON with an object per line, or Parquet")
            values = csv_rows(read_text(file.path))
        else:
            constant = nan_as_null if has_nan else no_number
            values = json_rows(read_text(file.path), has_lines=not name.endswith(".json"), constant=constant)
        if len(values) > LARGEST_ROWS:
            raise ValueError(f"holds {len(values):,} rows; {LARGEST_ROWS:,} are allowed")
    except (OSError, ValueError, OverflowError, csv.Error, pyarrow.ArrowException) as error:
        detail = (str(error).splitlines() or [type(error).__name__])[0]
        yield SourceRow(file.path, 0, reason="unreadable_file", detail=shorten(detail))
        return
    if not values:
        yield SourceRow(file.path, 0, reason="no_rows", detail="the file holds no rows")
    for number, value in values:
        try:
            check(value)
        except ValueError as fault:
            yield SourceRow(file.path, number, reason="unreadable_row", detail=shorten(str(fault)))
        else:
            yield SourceRow(file.path, number, value)


def json_rows(text: str, has_lines: bool, constant: Callable = no_number) -> list[tuple[int, object]]:
    """The values of an array, or the one value, or a value a line, each with its number. As json_values takes it."""
    held, numbers = json_values(text, has_lines, constant)
    values = held if isinstance(held, list) else [held]
    return list(zip(numbers or range(1, len(values) + 1), values, strict=True))


def json_values(text: str, has_lines: bool, constant: Callable = no_number) -> tuple[object, list[int] | None]:
    """What a JSON text states; or what its lines do, as a list, and their numbers from 1.

    has_lines: whether its name says that it has lines; else it has where it is no JSON as a whole and the first line is
    an object. constant: as decode takes it. Raises ValueError for a text that is neither, or empty.
    """
    try:
        return decode(text, constant), None
    except ValueError as error:
        lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
        if not lines:
            raise ValueError("is empty") from error
        if not (has_lines or isinstance(decode_line(lines[0][1], constant), dict)):
            raise ValueError(f"no JSON: {error}") from error
        return [decode_line(line, constant) for _, line in lines], [number for number, _ in lines]


def csv_rows(text: str) -> list[tuple[int, object]]:
    """The rows below the header. One of more or fewer fields is Unreadable. Raises csv.Error and ValueError."""
    csv.field_size_limit(LARGEST_BYTES)
    if fault := fault_of_header(text.lstrip().partition("\n")[0]):
        raise ValueError(fault)
    header, *rows = [row for row in csv.reader(io.StringIO(text, newline=""), strict=True) if row] or [[]]
    # a sheet of Excel has columns without a name, which nothing reads, behind those with one
    named_once([name for name in header if name.strip()])
    return [
        (
            number,
            dict(zip(header, row, strict=True))
            if len(row) == len(header)
            else Unreadable(f"{len(row)} fields where the header names {len(header)}"),
        )
        for number, row in enumerate(rows, start=1)
    ]


def parquet_rows(content: bytes) -> list[tuple[int, object]]:
    """The rows as they are when unpacked, which LARGEST_BYTES and LARGEST_ROWS bound."""
    from pyarrow import BufferReader, parquet

    file = parquet.ParquetFile(BufferReader(content))
    named_once(file.schema_arrow.names)
    if file.metadata.num_rows > LARGEST_ROWS:
        raise ValueError(f"holds {file.metadata.num_rows:,} rows; {LARGEST_ROWS:,} are allowed")
    rows: list = []
    size = 0
    for batch in file.iter_batches(batch_size=ROWS_AT_A_TIME):
        size += batch.nbytes
        if size > LARGEST_BYTES:
            raise ValueError(f"holds more than {LARGEST_BYTES >> 20:,} MiB unpacked")
        rows += batch.to_pylist()
    return list(enumerate(rows, start=1))


def named_once(columns: Sequence[str]) -> None:
    twice = sorted({name for name in columns if list(columns).count(name) > 1})
    if twice:
        raise ValueError(f"has the column {', '.join(map(repr, twice))} twice")


def as_text(value: object) -> str | None:
    """A text or a whole number as text; None for everything else and for blanks."""
    value = id_as_text(value)
    return value.strip() or None if isinstance(value, str) else None


def id_as_text(value: object) -> object:
    """A whole number as text, also one that is a float; None for NaN; anything else as it is.

    A column of whole numbers that lacks one is written by pandas as floats, and what it lacks as NaN.
    """
    if isinstance(value, float):
        if math.isnan(value):
            return None
        if value.is_integer() and abs(value) < LARGEST_WHOLE_FLOAT:
            return str(int(value))
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def stated_texts(stated: Mapping, *names: str) -> tuple[dict[str, str | None], str | None]:
    """Texts and whole numbers by their names, None where there are none; and what is wrong with the first of others."""
    found = {name: as_text(stated.get(name)) for name in names}
    for name in names:
        value = id_as_text(stated.get(name))
        if value is not None and not isinstance(value, str):
            return found, f"{name}: {str(value)[:80]!r} is not a text or a whole number"
    return found, None


# A field that is None for all that is no text and no whole number.
LooseText = Annotated[str | None, BeforeValidator(as_text)]
# Fields that may be missing; of any other kind of value the description says, in a fault, what it ought to be.
Text = Annotated[str | None, Field(description="a text")]
Id = Annotated[str | None, BeforeValidator(id_as_text), Field(description="a text or a whole number")]
Texts = Annotated[list[str] | None, Field(description="a list of texts")]
Boolean = Annotated[bool | None, Field(description="true or false")]
Cik = Annotated[Annotated[int, Field(ge=1, le=9_999_999_999)] | None, Field(description="a number of up to ten digits")]
Year = Annotated[Annotated[int, Field(ge=1000, le=9999)] | None, Field(description="a year")]
Number = Annotated[float | None, Field(description="a number")]
Amount = Annotated[
    Annotated[float, Field(ge=0, le=LARGEST_AMOUNT)] | None, Field(description="a number from 0 to 1e15")
]


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
    """The items, each with an id, a second one with the id of an earlier one in its data set rejected.

    An item has dataset, source_id, file_path, source_row, reason, and a method rejected(reason, detail). One that
    states no id (None) is called by the number of its row, and where another of its data set is, by its file too.
    """
    items = list(items)
    taken = {(item.dataset, item.source_id) for item in items}
    seen: dict = {}
    for item in items:
        if item.reason is None:
            if item.source_id is None:
                free = (name for name in made_up_ids(item) if (item.dataset, name) not in taken)
                item.source_id = next(free)
                taken.add((item.dataset, item.source_id))
            first = seen.setdefault((item.dataset, item.source_id), item)
            if first is not item:
                item.rejected("duplicate_id", f"row {first.source_row} of {first.file_path} has this id")
        yield item


def only_models(named: Iterable[tuple[str, str | None]]) -> dict[str, str]:
    """The model of each system all of whose rows that name one name the same: rows of failed calls often name none.

    named: system and model of each row.
    """
    models: dict[str, set[str]] = {}
    for system, model in named:
        if model is not None:
            models.setdefault(system, set()).add(model)
    return {system: names.pop() for system, names in models.items() if len(names) == 1}


def made_up_ids(item) -> Iterator[str]:
    row = str(item.source_row)
    yield row
    yield f"{PurePath(item.file_path).name}#{row}"
    # files of one name in several folders
    yield from (f"{item.file_path}#{row}{mark}" for mark in chain([""], map(".{}".format, count(2))))
