"""10-Ks in HTML as a table: every file is read once, file by file, so memory is that of the longest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from finrag.corpus.html.filing import Filing, read_filing

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

COVER = ("cik", "company_name", "form_type", "period_end", "report_year", "report_year_source")
ITEM = ("section_label", "item_text", "fault")
COLUMNS = ("file_path", "file_version", *COVER, *ITEM)
LAYOUT = "edgar_html"
# Rows of so many files are written at a time.
FILES_PER_BATCH = 16


def unread(loaded_files, built, session) -> list[tuple[str, str]]:
    """(file_path, file_version) of the files that built does not hold in their version, in their order."""
    files = loaded_files.filter(f"layout = '{LAYOUT}'").project("file_path, file_version")
    if built is not None:
        files = files.except_(session.table(str(built)).project("file_path, file_version"))
    return files.order("file_path").fetchall()


def read_files(session, todo: Sequence[tuple[str, str]]):
    """Relation with one row per item of the files. It passes through a temporary table, which spills to disk."""
    import pyarrow

    from finrag.progress import progress

    schema = pyarrow.schema([(column, pyarrow.string()) for column in COLUMNS])
    declared = ", ".join(f"{column} varchar" for column in COLUMNS)
    session.execute(f"create or replace temp table html_parts ({declared})")
    with progress("Reading HTML", len(todo), "filing") as files_done:
        for begin in range(0, len(todo), FILES_PER_BATCH):
            rows = []
            for path, version in todo[begin : begin + FILES_PER_BATCH]:
                rows += rows_of(path, version, read_filing(path))
                files_done.update(1)
            columns = [list(column) for column in zip(*rows, strict=True)]
            session.register("html_batch", pyarrow.table(columns, schema=schema))
            session.execute("insert into html_parts select * from html_batch")
            session.unregister("html_batch")
    return session.table("html_parts")


def rows_of(path: str, version: str, filing: Filing) -> Iterable[tuple[str | None, ...]]:
    """Tuples of COLUMNS."""
    cover = tuple(getattr(filing.cover, name) for name in COVER)
    return [(path, version, *cover, item.label, item.text, item.fault) for item in filing.items]
