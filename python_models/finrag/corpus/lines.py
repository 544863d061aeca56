"""JSON with an object per line, and CSV, of which some lines are damaged: which cannot be read, and why.

DuckDB reads such a file all the same when it is told to: it gives a row of nulls for a line that is no JSON, and fills
up a record of a CSV that has too few fields. It does not say why, and it takes one of two values where a name stands
twice; so a file that it refuses to read as it is, and only such a file, is looked at here line by line.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO, TextIO

from finrag.inputs.files import check, once, shorten

# Beyond it a file is no table with some bad rows.
MOST_UNREADABLE = 10_000
# So many fields of a record may stand beyond the columns that a CSV names.
MOST_SPARE = 1_000


@dataclass
class Lines:
    """The lines of a file that hold anything. faults, nested: by number, from 1.

    columns: of lines without a fault; of a CSV those that it names, and one more for each field that is too many.
    """

    count: int = 0
    columns: dict[str, None] = field(default_factory=dict)
    faults: dict[int, str] = field(default_factory=dict)
    nested: dict[int, tuple[str, ...]] = field(default_factory=dict)

    def refuse_nested(self, is_text: Callable[[str], bool]) -> None:
        """Lists and objects where a text is needed are faults."""
        for number, columns in self.nested.items():
            if wrong := [column for column in columns if is_text(column)]:
                self.faults[number] = f"{', '.join(wrong)}: a list or an object where a text is expected"


def read_lines(path: str, longest: int) -> Lines | None:
    """The lines of a local file. None where it is no text of lines, or hardly any of it can be read.

    longest: bytes that a line may have, as its reader allows.
    """
    found = Lines()
    try:
        with (gzip.open if path.lower().endswith(".gz") else open)(path, "rb") as stream:
            for line in lines_of(stream, longest):
                # an array is one text, and DuckDB reads no mark by line
                if not found.count and line.lstrip().startswith((b"[", codecs.BOM_UTF8)):
                    return None
                found.count += 1
                take(found, line)
                if len(found.faults) > MOST_UNREADABLE:
                    return None
    except (OSError, EOFError, zlib.error, ValueError):
        return None
    return found if len(found.faults) < found.count else None


def read_records(path: str, longest: int) -> Lines | None:
    """The records of a local CSV. None where it is none but for the number of fields, or hardly any can be read.

    longest: characters that a field may have.
    """
    csv.field_size_limit(longest)
    opened = gzip.open if path.lower().endswith(".gz") else open
    try:
        with opened(path, "rt", encoding="utf-8-sig", newline="") as text:
            found = records_of(text)
    except (OSError, EOFError, zlib.error, ValueError, csv.Error):
        return None
    return found if found and len(found.faults) < found.count else None


def records_of(text: TextIO) -> Lines | None:
    """None where more than MOST_UNREADABLE records, or one by more than MOST_SPARE fields, are not of the header."""
    records = csv.reader(text, strict=True)
    header = next(records, [])
    found = Lines(columns=dict.fromkeys(header))
    widest = len(header)
    for record in filter(None, records):
        found.count += 1
        if len(record) != len(header):
            found.faults[found.count] = (
                f"{len(record)} fields where the header names {len(header)}; a text with a comma in it has to be in "
                "quotes"
            )
            widest = max(widest, len(record))
        if len(found.faults) > MOST_UNREADABLE or widest > len(header) + MOST_SPARE:
            return None
    found.columns |= dict.fromkeys(f"field {place + 1}" for place in range(len(header), widest))
    return found if len(found.columns) == widest else None


def lines_of(stream: BinaryIO, longest: int) -> Iterator[bytes]:
    """Those that are not blank. Raises ValueError for one that is too long."""
    while line := stream.readline(longest + 1):
        if len(line) > longest:
            raise ValueError("a line is too long")
        if line.strip():
            yield line


def take(found: Lines, line: bytes) -> None:
    """Note the columns of the next line, or what is wrong with it."""
    try:
        # names twice and half surrogate pairs are faults, as for DuckDB; numbers of any size are texts that it takes
        value = json.loads(line.decode(), object_pairs_hook=once, parse_int=str)
        check(value)
    except UnicodeDecodeError as error:
        found.faults[found.count] = f"no UTF-8 text: byte {error.start:,} of the line is none of it; save it as UTF-8"
    except RecursionError:
        found.faults[found.count] = "nests too deep"
    except ValueError as error:
        found.faults[found.count] = shorten(
            f"no JSON: {error}" if isinstance(error, json.JSONDecodeError) else str(error)
        )
    else:
        # null is a row of nulls to DuckDB too, and SQL turns it down
        if value is None:
            return
        if not isinstance(value, dict):
            found.faults[found.count] = "it is no object"
            return
        found.columns.update(dict.fromkeys(value))
        if nested := tuple(name for name, held in value.items() if isinstance(held, list | dict)):
            found.nested[found.count] = nested
