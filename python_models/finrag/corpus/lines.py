"""JSON with an object per line of which some are damaged: which lines cannot be read, and why.

DuckDB reads such a file all the same when it is told to, and gives a row of nulls for a line that is no JSON. It does
not say why, and it takes one of two values where a name stands twice; so a file that it refuses to read as it is, and
only such a file, is looked at here line by line.
"""

from __future__ import annotations

import codecs
import gzip
import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from finrag.inputs.files import check, once, shorten

# Beyond it a file is no table with some bad rows.
MOST_UNREADABLE = 10_000


@dataclass
class Lines:
    """The lines of a file that hold anything. faults, nested: by number, from 1; columns: of those without a fault."""

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
        found.faults[found.count] = f"no UTF-8 text: byte {error.start:,} of the line is none of it"
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
