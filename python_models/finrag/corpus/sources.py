"""Find the corpus' source files, recognise their layout and prove that they read to the end.

Every new or changed file is read once, completely, with the reader that staging uses, before any row of it can reach
the warehouse. What cannot be read becomes a row with a reason: a row of its own where the file has an object per line,
else the file as a whole.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import hashlib
import json
import os
import re
import zlib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

from finrag.corpus.lines import read_lines, read_records
from finrag.corpus.reader import CSV_DIALECT, MAXIMUM_JSON_OBJECT_BYTES, REMOTE, reader, reader_by_line
from finrag.errors import FinragError
from finrag.inputs.files import BLOCK, ENCODINGS, GZIP
from finrag.inputs.setting import as_parted, as_utf_8, hint_of_list, paths_of, words
from finrag.settings import named
from finrag.tables import quoted
from finrag.versions import code_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import pyarrow

FORMATS = {
    **{".parquet": "parquet", ".json": "json", ".jsonl": "json", ".ndjson": "json", ".csv": "csv"},
    **{".htm": "html", ".html": "html"},
    **{".pdf": "pdf", ".md": "text", ".markdown": "text", ".mmd": "text", ".txt": "text"},
}
# In a folder these are as often about the filings as filings; a glob that names them means them.
NOT_IN_FOLDERS = "text"
# The layout that is no table: a file is a filing.
HTML_LAYOUT = "edgar_html"
# The layout of what need not be a 10-K, and the formats of it.
DOCUMENT_LAYOUT = "documents"
DOCUMENT_FORMATS = ("pdf", "text")
# The layout of tables of documents, whose any_column_like is the id and not an item.
TABLE_LAYOUT = "document_tables"
# After the name of a layout's column that holds an object of JSON.
OBJECT = "{}"
DEMO_DIRECTORY = Path("warehouse/demo")
DEMO_FILES = ("finsights/*.jsonl", "hf/*.jsonl", "edgar_crawler/*.json", "edgar_corpus/*.jsonl", "edgar_html/*.htm")
DEMO_FACTS = ("company_facts.csv", "companies.csv")
# Parts a fingerprint from what the file was read by: the names of columns, the dialect of CSV.
RENAMED = ":"
FORM = (
    f"It takes paths, directories or globs of {', '.join(FORMATS)} files, separated by spaces, absolute or relative to "
    "where the build runs."
)


class DamagedRowsError(ValueError):
    """Rows that DuckDB reads otherwise than they stand in the file."""


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

    corpus, facts: the settings of these names. names: what corpus files call the columns of layouts, by the layout's
    name. known: SourceFile by path from the last build; a file whose size and
    modification time are unchanged is not read again. Raises FinragError when a path matches nothing, or when no
    corpus file at all can be loaded.
    """
    corpus_files, fact_files = expand(connection, corpus, facts)
    corpus_layouts = [layout for layout in layouts if layout.level != "facts"]
    fact_layouts = [layout for layout in layouts if layout.level == "facts"]
    found = [inspect(connection, path, corpus_layouts, known, names) for path in corpus_files]
    reject_namesakes(found)
    if not any(file.status == "loaded" for file in found):
        reasons = "\n".join(f"  {line}" for line in faults(found)[:20])
        raise FinragError(f"None of the {len(found)} corpus files can be loaded:\n{reasons}")
    return found + [inspect(connection, path, fact_layouts, known) for path in fact_files]


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


def expand(connection, corpus: str, facts: str) -> tuple[list[str], list[str]]:
    """Paths of the corpus files and of the fact files, sorted, each file once however often it is named.

    Raises FinragError when a path matches nothing, or when a file stands in both.
    """
    is_demo = corpus.strip() == "demo"
    if is_demo:
        from finrag.demo import ensure

        ensure(DEMO_DIRECTORY)
        corpus = " ".join(str(DEMO_DIRECTORY / pattern) for pattern in DEMO_FILES)
    if facts.strip() == "auto":
        facts = " ".join(str(DEMO_DIRECTORY / name) for name in DEMO_FACTS) if is_demo else ""
    if not corpus.strip():
        raise FinragError(
            f"{named('corpus')} is empty. Give one or several paths or globs, or leave it out for the demo corpus."
        )
    corpus_files, fact_files = (
        named_once(
            path for part in words(option, setting, as_parted(FORM)) for path in matches(connection, part, option)
        )
        for option, setting in ((named("corpus"), corpus), (named("company_facts"), facts))
    )
    in_both = [corpus_files[file] for file in corpus_files if file in fact_files]
    if in_both:
        raise FinragError(
            f"{len(in_both)} {'file stands' if len(in_both) == 1 else 'files stand'} under both {named('corpus')} and "
            f"{named('company_facts')}: "
            f"{', '.join(in_both[:5])}{', …' if len(in_both) > 5 else ''}. Filings and sentences belong to the first, "
            "company facts and company names to the second, and each file to one of them; narrow the glob or the "
            "directory that finds it in the other."
        )
    return sorted(corpus_files.values()), sorted(fact_files.values())


def named_once(paths: Iterable[str]) -> dict[str, str]:
    """The first spelling in alphabetical order of each file, by the file itself: links and ./ are seen through."""
    files: dict[str, str] = {}
    for path in sorted(paths):
        files.setdefault(path if REMOTE.match(path) else os.path.realpath(path), path)
    return files


def matches(connection, pattern: str, variable: str) -> list[str]:
    """Files that one path, directory or glob stands for. A directory stands for every supported file below it."""
    if REMOTE.match(pattern):
        from finrag.corpus.remote import open_remote

        open_remote(connection, pattern)
        paths = [row[0] for row in connection.execute("select file from glob(?)", [pattern]).fetchall()]
    elif os.path.isdir(pattern):
        found = [path for path in Path(pattern).rglob("*") if not path.is_dir()]
        paths = [str(path) for path in found if format_of(str(path)) not in (None, NOT_IN_FOLDERS)]
    else:
        paths = [path for path in paths_of(pattern) if not os.path.isdir(path)]
    if not paths:
        raise FinragError(
            f"{variable} path '{pattern}' matches no file (looked from {os.path.basename(os.getcwd())}/)."
            f"{hint_of_list(pattern)} {as_parted(FORM)}"
        )
    return paths


def format_of(path: str) -> str | None:
    """'parquet', 'json' or 'csv' by the file's ending (a trailing .gz is read through), else None."""
    name = path.lower().removesuffix(".gz")
    return FORMATS.get(Path(name).suffix)


def inspect(
    connection, path: str, layouts: Sequence[Layout], known: dict, names: Mapping[str, str] | None = None
) -> SourceFile:
    """Recognise one file and read it to its end, or reject it with a reason."""
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
    before = known.get(path)
    if before and is_as_before(file, before, layouts, names):
        before.splitter_version = splitter_version(before.level, before.file_format, before.layout)
        return before
    expected = "; or ".join(layout.expectation() for layout in layouts)
    try:
        fault = fault_of_file(file, expected) or (
            recognise_whole(file, layouts, names)
            if file.file_format in ("html", *DOCUMENT_FORMATS)
            else recognise(connection, file, layouts, names)
        )
    except (duckdb.Error, OSError, DamagedRowsError) as error:
        is_read = recognise_lines(connection, file, layouts, names)
        fault = (
            None
            if is_read
            else (
                f"not readable as {file.file_format}: {fault_of_csv(connection, file) or first_sentence(error)} "
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


def fault_of_file(file: SourceFile, expected: str) -> str | None:
    """What is wrong with a file before it is read."""
    if not (REMOTE.match(file.file_path) or os.path.isfile(file.file_path)):
        return "is no regular file. Expected a file that can be read twice, not a pipe or a device."
    if file.file_format is None:
        return f"not a supported format. Expected a file ending in {', '.join(FORMATS)} (or .gz of one)."
    if file.file_size == 0:
        return f"the file is empty. Expected the columns of {expected}."
    return None if REMOTE.match(file.file_path) else fault_of_beginning(file)


def fault_of_beginning(file: SourceFile) -> str | None:
    """What the first bytes of a local file say that its name does not."""
    with open(file.file_path, "rb") as stream:
        begins = stream.read(2)
    is_packed = file.file_path.lower().endswith(".gz")
    if begins in ENCODINGS:
        return f"is {ENCODINGS[begins]} text. Expected UTF-8: save it as that."
    if begins == GZIP and not is_packed:
        return "is a gzip. Expected its name to end in .gz, by which it is known."
    # DuckDB takes the names in a later line for a row then
    if file.file_format == "csv" and begins_blank(file.file_path, is_packed):
        return "begins with a blank line. Expected the names of its columns in the first line."
    # DuckDB takes what there is of an array that was cut between two rows for all of it
    if file.file_format == "json" and is_open_array(file.file_path, is_packed):
        return "not readable as json: it is an array that does not end. Expected a complete file."
    return None


def begins_blank(path: str, is_packed: bool) -> bool:
    """Whether the first line of a text is empty. Raises OSError for a damaged gzip."""
    try:
        with (gzip.open if is_packed else open)(path, "rb") as stream:
            return stream.read(BLOCK).removeprefix(codecs.BOM_UTF8).startswith((b"\r", b"\n"))
    except (EOFError, zlib.error) as error:
        raise OSError(f"is a damaged gzip: {error}") from error


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
        from finrag.corpus.documents.tables import table_of, wrong_rows

        without = wrong_rows(connection, table_of(vars(file), names))
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


def read_layouts(relation) -> list[Layout]:
    """Layouts in order of precedence from the seed corpus_layouts."""
    columns = "layout, level, required_columns, any_column_like, other_columns"
    return [
        Layout(name, level, listed(required), like or "", listed(others))
        for name, level, required, like, others in relation.order("precedence").project(columns).fetchall()
    ]


def listed(columns: str | None) -> tuple[str, ...]:
    return tuple(columns.split("|")) if columns else ()


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
