"""What is wrong with a corpus file: before it is read, in its columns, and in the line that DuckDB stumbles over."""

from __future__ import annotations

import codecs
import csv
import gzip
import os
import re
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from finrag.corpus.layouts import TABLE_LAYOUT
from finrag.corpus.paths import FORMATS
from finrag.corpus.reader import REMOTE, reader_by_line
from finrag.inputs.files import BLOCK, GZIP, fault_of_bytes, fault_of_header
from finrag.settings import named

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from finrag.corpus.layouts import Layout
    from finrag.corpus.sources import SourceFile

UNSUPPORTED = f"not a supported format. Expected a file ending in {', '.join(FORMATS)} (or .gz of one)."


def fault_of_place(file: SourceFile) -> str:
    """Why a folder that a setting names does not stand for a file in it."""
    if os.path.isdir(file.file_path):
        return "is a link to a folder, which is not followed. Expected the path of that folder beside that of this one."
    if file.file_format is None:
        return UNSUPPORTED
    return (
        "is text, which is as often about filings as one of them, so that a folder does not stand for it. To have it "
        "read, name it, or a glob that finds it, such as '<folder>/**/*.txt'."
    )


def fault_of_file(file: SourceFile, expected: str) -> str | None:
    """What is wrong with a file before it is read."""
    if not (REMOTE.match(file.file_path) or os.path.isfile(file.file_path)):
        return "is no regular file. Expected a file that can be read twice, not a pipe or a device."
    if file.file_format is None:
        return UNSUPPORTED
    if file.file_size == 0:
        return f"the file is empty. Expected the columns of {expected}."
    return None if REMOTE.match(file.file_path) else fault_of_beginning(file)


def fault_of_beginning(file: SourceFile) -> str | None:
    """What the first bytes of a local file say that its name does not."""
    with open(file.file_path, "rb") as stream:
        begins = stream.read(4)
    is_packed = file.file_path.lower().endswith(".gz")
    if fault := fault_of_bytes(begins):
        return f"{fault}. Expected {file.file_format} as its name says."
    if begins.startswith(GZIP) and not is_packed:
        return "is a gzip. Expected its name to end in .gz, by which it is known."
    if file.file_format == "csv":
        line = first_line(file.file_path, is_packed)
        # DuckDB takes the names in a later line for a row then
        if not line.strip():
            return "begins with a blank line. Expected the names of its columns in the first line."
        if fault := fault_of_header(line):
            return f"{fault}. Expected commas between columns."
    # DuckDB takes what there is of an array that was cut between two rows for all of it
    if file.file_format == "json" and is_open_array(file.file_path, is_packed):
        return "not readable as json: it is an array that does not end. Expected a complete file."
    return None


def first_line(path: str, is_packed: bool) -> str:
    """The first line of a text, or as much of it as is read at once. Raises OSError for a damaged gzip."""
    try:
        with (gzip.open if is_packed else open)(path, "rb") as stream:
            begins = stream.read(BLOCK).removeprefix(codecs.BOM_UTF8)
    except (EOFError, zlib.error) as error:
        raise OSError(f"is a damaged gzip: {error}") from error
    return re.split(rb"[\r\n]", begins, maxsplit=1)[0].decode("utf-8", "replace")


def is_open_array(path: str, is_packed: bool) -> bool:
    """Whether a JSON text begins as an array and does not end as one. Raises OSError for a damaged gzip."""
    try:
        with (gzip.open if is_packed else open)(path, "rb") as stream:
            begins = stream.read(BLOCK).removeprefix(codecs.BOM_UTF8).lstrip()
            if not begins.startswith(b"["):
                return False
            ends = begins
            if not is_packed:
                stream.seek(max(0, os.path.getsize(path) - BLOCK))
            while block := stream.read(BLOCK):
                ends = block.rstrip() or ends
    except (EOFError, zlib.error) as error:
        raise OSError(f"is a damaged gzip: {error}") from error
    return not ends.rstrip().endswith(b"]")


def fault_of_columns(file: SourceFile, described: Sequence[tuple]) -> str | None:
    """What is wrong with the columns that DuckDB describes: one of bytes, or a name that stands twice."""
    of_bytes = sorted(name for name, kind, *_ in described if kind.startswith("BLOB"))
    if of_bytes:
        return f"its columns {', '.join(of_bytes)} hold bytes. Expected texts: write them as strings in UTF-8."
    # DuckDB calls the second cik cik_1
    names = {name.lower() for name, *_ in described}
    again = [name for name in names if re.fullmatch(r"(.+)_\d+", name) and name.rpartition("_")[0] in names]
    twice = [name.rpartition("_")[0] for name in again if name not in header_of(file)] if again else []
    return f"it has the column {', '.join(sorted(set(twice)))} twice. Expected each once." if twice else None


def fault_of_texts(file: SourceFile, described: Sequence[tuple], layout: Layout) -> str | None:
    """What is wrong with the columns of a Parquet file that hold no texts or numbers."""
    if file.file_format != "parquet":
        return None
    nested = [name for name, kind, *_ in described if layout.reads(name) and re.match(r"STRUCT|MAP|UNION|.*\]$", kind)]
    if nested:
        return f"its columns {', '.join(nested)} hold lists or objects. Expected texts or numbers."
    times = [name for name, kind, *_ in described if layout.is_text(name) and re.match("DATE|TIME", kind)]
    return f"its columns {', '.join(times)} hold times. Expected texts." if times else None


def fault_of_questions(file: SourceFile, columns: Iterable[str], layout: Layout) -> str | None:
    """What is wrong with a table of documents that is one of questions."""
    if layout.layout != TABLE_LAYOUT or not layout.fits(columns):
        return None
    from finrag.inputs.suite_formats import recognised

    beside = Path(file.file_path).name.split(".")[0] == "queries" and any(Path(file.file_path).parent.glob("corpus.*"))
    if beside or recognised([dict.fromkeys(columns)]):
        return f"holds questions. Expected documents: name it, or its folder, in {named('question_suites')}."
    return None


def fault_of_lines(connection, file: SourceFile) -> str | None:
    """The first line of a local text that is no UTF-8, or of a CSV no row; None where it is no line that is wrong."""
    if REMOTE.match(file.file_path) or file.file_format not in ("csv", "json"):
        return None
    try:
        with (gzip.open if file.file_path.lower().endswith(".gz") else open)(file.file_path, "rb") as lines:
            number = next((number for number, line in enumerate(lines, start=1) if not is_utf_8(line)), None)
    except (OSError, EOFError, zlib.error):
        return None
    return f"line {number:,} is no UTF-8 text; save it as UTF-8." if number else fault_of_csv(connection, file)


def is_utf_8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def fault_of_csv(connection, file: SourceFile) -> str | None:
    """The first line of a local CSV file that is no row of the table; None where it is no line that is wrong."""
    import duckdb

    try:
        names = header_of(file) if file.file_format == "csv" else []
    except (OSError, EOFError, zlib.error, ValueError, csv.Error):
        return None
    if not names:
        return None
    # by their place: names may be empty or stand twice
    relation = reader_by_line(file.file_path, [f"c{place}" for place in range(len(names))])
    try:
        connection.execute(f"select bit_xor(hash(source_row)) from {relation} as source_row").fetchone()
    except duckdb.Error as error:
        said = str(error)
        line = re.search(r"CSV Error on Line: (\d+)", said)
        fields = re.search(r"Expected Number of Columns: \d+ Found: (\d+)", said)
        if line and fields:
            # of what is too many DuckDB counts only the first
            which = "more" if int(fields[1]) > len(names) else "fewer"
            return (
                f"line {int(line[1]):,} has {which} fields than the first line, whose columns are {len(names)}; a text "
                "with a comma in it has to be in quotes."
            )
        if line and "unterminated quote" in said:
            return f"line {int(line[1]):,} has a quote that does not end, or ends before the field does."
    return None


def header_of(file: SourceFile) -> list[str]:
    """The names of a local CSV or Parquet file's columns as they stand there, in lower case."""
    if file.file_format == "parquet" and not REMOTE.match(file.file_path):
        from pyarrow import parquet

        return [name.lower() for name in parquet.read_schema(file.file_path).names]
    if file.file_format == "csv" and not REMOTE.match(file.file_path):
        opened = gzip.open if file.file_path.lower().endswith(".gz") else open
        with opened(file.file_path, "rt", encoding="utf-8-sig", newline="") as lines:
            return [name.lower() for name in next(csv.reader(lines), [])]
    return []
