"""Find the corpus' source files, recognise their layout and prove that they read to the end.

Every new or changed file is read once, completely, with the reader that staging uses, before any row of it can reach
the warehouse. What cannot be read becomes a row with a reason: a row of its own where the file has an object per line,
else the file as a whole.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

from finrag.corpus.faults import (
    fault_of_columns,
    fault_of_file,
    fault_of_lines,
    fault_of_place,
    fault_of_questions,
    fault_of_texts,
)
from finrag.corpus.layouts import (
    DOCUMENT_FORMATS,
    DOCUMENT_LAYOUT,
    HTML_LAYOUT,
    OBJECT,
    TABLE_LAYOUT,
    layout_of,
    nearest,
    own_names,
)
from finrag.corpus.lines import read_lines, read_records
from finrag.corpus.paths import expand, format_of
from finrag.corpus.reader import CSV_DIALECT, MAXIMUM_JSON_OBJECT_BYTES, REMOTE, reader
from finrag.errors import FinragError
from finrag.inputs.setting import as_utf_8
from finrag.tables import quoted
from finrag.versions import code_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import pyarrow

    from finrag.corpus.layouts import Layout

# A file of these is read as one filing or one document.
WHOLE_FORMATS = ("html", *DOCUMENT_FORMATS)
# Parts a fingerprint from what the file was read by: the names of columns, the dialect of CSV.
RENAMED = ":"


class DamagedRowsError(ValueError):
    """Rows that DuckDB reads otherwise than they stand in the file."""


@dataclass
class SourceFile:
    """One discovered file. status is 'loaded' or 'rejected'; reason says why, and what was expected.

    unreadable_rows: of a loaded file, what is wrong with rows of it, as JSON by their number from 1; None for nothing.
    is_damaged: whether some of its lines are no JSON, or some records no rows of its CSV: it is read line by line then.
    columns_read: the columns, as a JSON list, that it is read by: a damaged CSV, and JSON that writes names of columns
    in another case than the layout does or has items that the layout does not; None for all others.
    """

    file_path: str
    file_format: str | None
    file_size: int | None
    modified_at: str | None
    fingerprint: str | None = None
    layout: str | None = None
    level: str | None = None
    splitter_version: str | None = None
    row_count: int | None = None
    status: str = "loaded"
    reason: str | None = None
    unreadable_rows: str | None = None
    is_damaged: bool = False
    columns_read: str | None = None

    def reject(self, reason: str) -> None:
        self.status, self.reason = "rejected", reason
        self.layout = self.level = self.splitter_version = self.row_count = None
        self.unreadable_rows = self.columns_read = None
        self.is_damaged = False


def discover(
    connection, corpus: str, facts: str, layouts: Sequence[Layout], known: dict, names: Mapping[str, str] | None = None
) -> list[SourceFile]:
    """All files of the corpus and of the fact table, each loaded or rejected with a reason.

    corpus, facts: the settings of these names. names: what the files call the columns of layouts, by the layout's
    name. known: SourceFile by path from the last build; a file whose size and
    modification time are unchanged is not read again. Raises FinragError when a path matches nothing, or when no
    corpus file at all can be loaded.
    """
    corpus_files, fact_files = expand(connection, corpus, facts)
    corpus_layouts = [layout for layout in layouts if layout.level != "facts"]
    fact_layouts = [layout for layout in layouts if layout.level == "facts"]
    found = [inspect(connection, path, corpus_layouts, known, names, is_read) for path, is_read in corpus_files.items()]
    reject_namesakes(found)
    if not any(file.status == "loaded" for file in found):
        reasons = "\n".join(f"  {line}" for line in faults(found)[:20])
        none = "The corpus file cannot" if len(found) == 1 else f"None of the {len(found)} corpus files can"
        raise FinragError(f"{none} be loaded:\n{reasons}")
    return found + [
        inspect(connection, path, fact_layouts, known, names, is_read) for path, is_read in fact_files.items()
    ]


def check_some_load(
    connection, corpus: str, facts: str, layouts: Sequence[Layout], names: Mapping[str, str] | None = None
) -> None:
    """Raises FinragError where discover would; but no further than to the first corpus file that seems to be one.

    Such a file may still be refused when it is read to its end.
    """
    files, _ = expand(connection, corpus, facts)
    corpus_layouts = [layout for layout in layouts if layout.level != "facts"]
    if not any(is_read and seems_loadable(connection, path, corpus_layouts, names) for path, is_read in files.items()):
        discover(connection, corpus, facts, layouts, {}, names)


def seems_loadable(connection, path: str, layouts: Sequence[Layout], names: Mapping[str, str] | None) -> bool:
    """Whether a file, by its beginning, is a table of a layout with a row in it, or may be a filing or a document."""
    import duckdb

    try:
        file = SourceFile(path, format_of(path), *stat(connection, path))
        if as_utf_8(path) != path or fault_of_file(file, ""):
            return False
        if file.file_format in WHOLE_FORMATS:
            return True
        first = connection.execute(f"select * from {reader(file.file_format, path)} limit 1")
        columns = [name for name, *_ in first.description]
        return layout_of(columns, layouts, names) is not None and first.fetchone() is not None
    except (duckdb.Error, OSError):
        return False


def reject_namesakes(files: Iterable[SourceFile]) -> None:
    """Of documents of one name and format that hold different things the first is loaded: the name is their id.

    Of equal ones all are, as copies, and of two formats: they are taken for the same document.
    """
    firsts: dict[str, SourceFile] = {}
    for file in files:
        if file.layout == DOCUMENT_LAYOUT:
            first = firsts.setdefault(Path(file.file_path).name.lower(), file)
            if first.fingerprint != file.fingerprint:
                file.reject(
                    f"has the name of another document, {first.file_path}, and other content. Expected names that "
                    "differ, by which documents are known: rename one."
                )


def faults(files: Iterable[SourceFile]) -> list[str]:
    """A line for every reason that files were rejected for, with the file or with how many there are."""
    paths: dict[str, list[str]] = {}
    for file in files:
        if file.status == "rejected":
            paths.setdefault(file.reason.replace(file.file_path, "the file"), []).append(file.file_path)
    return [
        f"{found[0] if len(found) == 1 else f'{len(found):,} files, such as {found[0]}'}: {reason}"
        for reason, found in paths.items()
    ]


def inspect(
    connection,
    path: str,
    layouts: Sequence[Layout],
    known: dict,
    names: Mapping[str, str] | None = None,
    is_read: bool = True,
) -> SourceFile:
    """Recognise one file and read it to its end, or reject it with a reason; is_read: as expand has it."""
    import duckdb

    shown = as_utf_8(path)
    if shown != path:
        # neither DuckDB nor a table can hold the name
        file = SourceFile(shown, format_of(shown), None, None)
        file.reject("cannot be opened: its name, or that of a folder above it, is no UTF-8. Rename it.")
        return file
    try:
        file = SourceFile(path, format_of(path), *stat(connection, path))
    except OSError as error:
        file = SourceFile(path, format_of(path), None, None)
        file.reject(f"cannot be opened: {error.strerror or error}. A link must lead to a file that is there.")
        return file
    if not is_read:
        file.reject(fault_of_place(file))
        return file
    before = known.get(path)
    if before and is_as_before(file, before, layouts, names):
        before.splitter_version = splitter_version(before.level, before.file_format, before.layout)
        return before
    expected = "; or ".join(layout.expectation() for layout in layouts)
    try:
        fault = fault_of_file(file, expected) or (
            recognise_whole(file, layouts, names)
            if file.file_format in WHOLE_FORMATS
            else recognise(connection, file, layouts, names)
        )
    except (duckdb.Error, OSError, DamagedRowsError) as error:
        is_read = recognise_lines(connection, file, layouts, names)
        fault = (
            None
            if is_read
            else (
                f"not readable as {file.file_format}: {fault_of_lines(connection, file) or first_sentence(error)} "
                f"Expected a complete UTF-8 {file.file_format} file with the columns of {expected}."
            )
        )
    if fault:
        file.reject(fault)
    return file


def is_as_before(
    file: SourceFile, before: SourceFile, layouts: Sequence[Layout], names: Mapping[str, str] | None
) -> bool:
    """Whether a loaded file need not be read again. Rejected ones are: they are few, and layouts may have changed."""
    stated = (before.file_size, before.modified_at, (before.fingerprint or "").partition(RENAMED)[2])
    is_known = before.status == "loaded" and before.layout in {layout.layout for layout in layouts}
    return is_known and stated == (file.file_size, file.modified_at, read_by(file, names))


def recognise(connection, file: SourceFile, layouts: Sequence[Layout], names: Mapping[str, str] | None) -> str | None:
    """Fill in the layout of a file and read it to its end; what is wrong with it.

    Raises duckdb.Error, OSError and DamagedRowsError.
    """
    expected = "; or ".join(layout.expectation() for layout in layouts)
    described = connection.execute(f"describe select * from {reader(file.file_format, file.file_path)}").fetchall()
    columns = [row[0] for row in described]
    # what DuckDB calls the one column of a JSON file without objects
    if columns == ["json"]:
        if read_to_the_end(connection, file, columns).count:
            raise DamagedRowsError("it holds no object with a column in it")
        return f"the file has no rows. Expected the columns of {expected}."
    if fault := fault_of_columns(file, described):
        return fault
    layout = layout_of(columns, layouts, names)
    if layout is None:
        return (
            f"unknown layout: its columns are {', '.join(columns[:12])}{'…' if len(columns) > 12 else ''}. "
            f"Expected {nearest(columns, layouts, names) or f'the columns of {expected}'}. "
            "Other names can be mapped: corpus.columns in finrag.toml."
        )
    if fault := fault_of_texts(file, described, layout) or fault_of_questions(file, columns, layout):
        return fault
    rows = read_to_the_end(connection, file, columns, layout, names)
    if nested := nested_columns(connection, file, rows.like_nested):
        raise DamagedRowsError(f"its columns {', '.join(nested)} hold lists or objects")
    file.columns_read = columns_read(file, columns, layout, names)
    admit(connection, file, layout, rows, names)
    return None if file.row_count else f"the file has no rows. Expected the columns of {expected}."


def recognise_whole(file: SourceFile, layouts: Sequence[Layout], names: Mapping[str, str] | None) -> str | None:
    """Fill in the layout of a file that is a filing or a document, read to its end; what is wrong with it.

    Raises OSError.
    """
    from finrag.corpus.html.document import UnreadableError

    is_html = file.file_format == "html"
    wanted, kind = (HTML_LAYOUT, "HTML") if is_html else (DOCUMENT_LAYOUT, f"a {file.file_format} document")
    of_name = {layout.layout: layout for layout in layouts}
    if wanted not in of_name:
        return f"is {kind}. Expected the columns of {'; or '.join(layout.expectation() for layout in layouts)}."
    if REMOTE.match(file.file_path):
        return f"is {kind} that is not here. Expected a local file: copy it."
    try:
        found = read_whole(file)
    except UnreadableError as error:
        return str(error)
    take(file, of_name[found], 1, names)
    return None


def read_whole(file: SourceFile) -> str:
    """Read a filing or a document to its end; the layout that it is of. Raises UnreadableError and OSError."""
    from finrag.corpus.documents.document import is_page, read_any
    from finrag.corpus.html.filing import NoFilingError, read_filing

    if is_page(file.file_path):
        try:
            read_filing(file.file_path)
        except NoFilingError:
            # any other page is a document
            pass
        else:
            return HTML_LAYOUT
    read_any(file.file_path)
    return DOCUMENT_LAYOUT


def recognise_lines(connection, file: SourceFile, layouts: Sequence[Layout], names: Mapping[str, str] | None) -> bool:
    """Fill in the layout of a JSON file or CSV of which some lines are damaged; whether the others are rows of one."""
    import duckdb

    by_line = {"json": read_lines, "csv": read_records}.get(file.file_format)
    is_here = by_line and not REMOTE.match(file.file_path)
    lines = by_line(file.file_path, MAXIMUM_JSON_OBJECT_BYTES) if is_here else None
    layout = layout_of(lines.columns, layouts, names) if lines else None
    # facts have no table of rejected rows
    if layout is None or layout.level == "facts":
        return False
    called = own_names(lines.columns, names)
    lines.refuse_nested(lambda column: layout.reads(called.get(column, column)))
    if not lines.faults or len(lines.faults) == lines.count:
        return False
    file.is_damaged = True
    file.columns_read = columns_read(file, lines.columns, layout, names)
    try:
        rows = read_to_the_end(connection, file, [*lines.columns], layout, names)
    except duckdb.Error:  # more is wrong than numbers of fields: why the file was refused at first is the reason
        return False
    if rows.count != lines.count:
        return False
    admit(connection, file, layout, rows, names, lines.faults)
    return True


def columns_read(
    file: SourceFile, columns: Iterable[str], layout: Layout, names: Mapping[str, str] | None
) -> str | None:
    """Those that a file has to be read by, as SourceFile says; None where it is read by those of its layout.

    DuckDB finds the columns of a table in any case, and those of JSON in the case that they are asked for alone. Items
    that no 10-K has are among them: they are read to be rejected.
    """
    if file.file_format == "csv" and file.is_damaged:
        return json.dumps([*columns], ensure_ascii=False)
    if file.file_format != "json":
        return None
    asked = [column.removesuffix(OBJECT) for column in (*layout.required_columns, *layout.other_columns)]
    asked += [theirs for theirs in (names or {}).values() if theirs.lower() not in {name.lower() for name in asked}]
    in_lower_case = {name.lower() for name in asked}
    stated = [column for column in columns if column.lower() in in_lower_case or layout.is_item(column)]
    return None if {*stated} <= {*asked} else json.dumps(stated, ensure_ascii=False)


def admit(
    connection,
    file: SourceFile,
    layout: Layout,
    rows: RowsRead,
    names: Mapping[str, str] | None,
    faults: Mapping[int, str] | None = None,
) -> None:
    """The file is one of the layout, its rows are those that were read."""
    take(file, layout, rows.count, names)
    if layout.layout == TABLE_LAYOUT:
        from finrag.corpus.documents.tables import source_table, wrong_rows

        without = wrong_rows(connection, source_table(vars(file), names))
    else:
        without = filings_without_items(connection, file, rows) if rows.without_item_count else {}
    if faults := without | dict(faults or {}):
        stated = {str(number): faults[number] for number in sorted(faults)}
        file.unreadable_rows = json.dumps(stated, ensure_ascii=False)


def take(file: SourceFile, layout: Layout, row_count: int, names: Mapping[str, str] | None) -> None:
    """The file is one of the layout."""
    file.layout, file.level, file.row_count = layout.layout, layout.level, row_count
    file.splitter_version = splitter_version(layout.level, file.file_format, layout.layout)
    file.fingerprint = fingerprint(file.file_path, file.file_size, file.modified_at)
    file.fingerprint += RENAMED + by if (by := read_by(file, names)) else ""


def filings_without_items(connection, file: SourceFile, rows: RowsRead) -> dict[int, str]:
    """By number, the rows that state no item at all: there is nothing of them to split."""
    found = connection.execute(
        f"select number from (select row_number() over () as number, {rows.first_item} as item_text "
        f"from {rows.relation}) where item_text is null order by number"
    ).fetchall()
    return {number: "states no item" for (number,) in found}


def nested_columns(connection, file: SourceFile, columns: Sequence[str]) -> list[str]:
    """Those that hold a list or an object somewhere, which DuckDB would write out as text. Few are asked about."""
    if not columns:
        return []
    held = ", ".join(f"coalesce(bool_or(json_type({quoted(name)}) in ('ARRAY', 'OBJECT')), false)" for name in columns)
    relation = reader("json", file.file_path, dict.fromkeys(columns, "JSON"), file.is_damaged)
    is_nested = connection.execute(f"select {held} from {relation}").fetchone()
    return [name for name, nested in zip(columns, is_nested, strict=True) if nested]


def splitter_version(level: str | None, file_format: str | None, layout: str | None) -> str | None:
    """Version of what reads and splits the filings of a file: a new one means doing both again."""
    if level != "filing":
        return None
    from finrag.corpus.splitting import SPLITTER_VERSION

    readers = {HTML_LAYOUT: "finrag.corpus.html"}
    readers |= dict.fromkeys((DOCUMENT_LAYOUT, TABLE_LAYOUT), "finrag.corpus.documents")
    if layout not in readers:
        return SPLITTER_VERSION
    return f"{SPLITTER_VERSION}+{file_format}-{code_version(readers[layout])}"


@dataclass(frozen=True)
class RowsRead:
    """How many rows a file has, and what of them has to be looked at again.

    relation: what read them. like_nested: columns with a text that begins as a list or an object of JSON does.
    first_item: SQL for the first item that a filing states; without_item_count: rows without one.
    """

    count: int
    relation: str
    like_nested: list[str]
    first_item: str
    without_item_count: int


def read_to_the_end(
    connection,
    file: SourceFile,
    columns: Sequence[str],
    layout: Layout | None = None,
    names: Mapping[str, str] | None = None,
) -> RowsRead:
    """The rows, after decoding every value: a damaged page or a truncated object raises here, not in staging."""
    is_json = file.file_format == "json"
    typed = dict.fromkeys(columns, "VARCHAR") if is_json or file.is_damaged else None
    relation = reader(file.file_format, file.file_path, typed, file.is_damaged)
    called = {column: column for column in columns} | own_names(columns, names)
    texts = [column for column, own in called.items() if is_json and layout and layout.reads(own)]
    items = [column for column, own in called.items() if layout and layout.level == "filing" and layout.is_item(own)]
    first_item = f"coalesce({', '.join([*map(quoted, items), 'null'])})::varchar"
    begins = [f", coalesce(bool_or({quoted(text)}[1] in ('[', '{{')), false)" for text in texts]
    without = f"count(*) filter ({first_item} is null)" if items else "0"
    count, _, without_item_count, *nested = connection.execute(
        f"select count(*), bit_xor(hash(source_row)), {without}{''.join(begins)} from {relation} as source_row"
    ).fetchone()
    like_nested = [text for text, is_like in zip(texts, nested, strict=True) if is_like]
    return RowsRead(count, relation, like_nested, first_item, without_item_count)


def stat(connection, path: str) -> tuple[int, str]:
    """Size in bytes and modification time (text, to the precision the file system keeps)."""
    if REMOTE.match(path):
        row = connection.execute("select size, last_modified::varchar from read_blob(?)", [path]).fetchone()
        return row[0], row[1]
    status = os.stat(path)
    return status.st_size, str(status.st_mtime_ns)


def fingerprint(path: str, size: int, modified_at: str) -> str:
    """Digest of a local file's bytes. Remote files are not fetched a second time: size and modification time."""
    if REMOTE.match(path):
        return hashlib.blake2b(f"{path}|{size}|{modified_at}".encode(), digest_size=16).hexdigest()
    digest = hashlib.blake2b(digest_size=16)
    with open(path, "rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def read_by(file: SourceFile, names: Mapping[str, str] | None) -> str:
    """Digest of the names of columns and the dialect in force: under others a file is read anew. Empty for neither."""
    by = repr(sorted(names.items())) if names else ""
    by += CSV_DIALECT if file.file_format == "csv" else ""
    return hashlib.blake2b(by.encode(), digest_size=4).hexdigest() if by else ""


def first_sentence(error: Exception) -> str:
    """The telling line of a reader's error, ended with a full stop."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[0] if lines else type(error).__name__).rstrip(".") + "."


def as_table(files: Sequence[SourceFile]) -> pyarrow.Table:
    """The files as an Arrow table, one row per file, columns in the order of SourceFile."""
    import pyarrow

    types = {"file_size": pyarrow.int64(), "row_count": pyarrow.int64(), "is_damaged": pyarrow.bool_()}
    schema = pyarrow.schema([(f.name, types.get(f.name, pyarrow.string())) for f in fields(SourceFile)])
    return pyarrow.Table.from_pylist([vars(file) for file in files], schema=schema)


def read_known(connection, table: str) -> dict[str, SourceFile]:
    """What the last build found, by path; empty when there was none."""
    schema, name = table.replace('"', "").split(".")[-2:]
    held = connection.execute(
        "select column_name from information_schema.columns where table_schema = ? and table_name = ?", [schema, name]
    ).fetchall()
    names = [field.name for field in fields(SourceFile)]
    # a table of an earlier version may lack some
    if not {*names} <= {column for (column,) in held}:
        return {}
    rows = connection.execute(f"select {', '.join(names)} from {table}").fetchall()
    return {row[0]: SourceFile(*row) for row in rows}
