"""Documents as a table: every file is read once, one after the other, so memory is that of some of the longest."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING

from finrag.corpus.documents.document import Told, read_any
from finrag.corpus.documents.tables import LAYOUT as TABLES
from finrag.corpus.documents.tables import Table, read_table, source_table
from finrag.tables import append

if TYPE_CHECKING:
    from collections.abc import Sequence

LAYOUT = "documents"
ITEM = "section_label varchar, item_text varchar, fault varchar, first_page integer, headings varchar"
COLUMNS = (
    "file_path varchar, file_version varchar, doc_id varchar, cik varchar, company_name varchar, form_type varchar, "
    f"period_end varchar, report_year varchar, report_year_source varchar, items struct({ITEM})[], "
    "source varchar, source_row bigint"
)
# So many documents are written at a time.
DOCUMENTS_PER_BATCH = 16
ROWS_PER_BATCH = 512


def read_documents(session, todo: Sequence[tuple[str, str]], tables: Sequence[tuple[Table, str]] = ()):
    """Relation with one row per document, its sections as a list; see COLUMNS.

    todo: (file_path, file_version) of files that are documents; tables: those of many, each with its version. It passes
    through a temporary table, which spills to disk.
    """
    from finrag.progress import progress

    session.execute(f"create or replace temp table documents ({COLUMNS})")
    with progress("Reading documents", len(todo) + len(tables), "file") as files_done:
        for begin in range(0, len(todo), DOCUMENTS_PER_BATCH):
            rows = []
            for path, version in todo[begin : begin + DOCUMENTS_PER_BATCH]:
                rows.append({"file_path": path, "file_version": version} | row_of(read_any(path)))
                files_done.update(1)
            append(session, "documents", rows)
        for table, version in tables:
            found = (row_of_table(table, version, *each) for each in read_table(session, table))
            while rows := list(islice(found, ROWS_PER_BATCH)):
                append(session, "documents", rows)
            files_done.update(1)
    return session.table("documents")


def unread_tables(source_files, unread: Sequence[tuple[str, str]], names) -> list[tuple[Table, str]]:
    """The files of unread as tables. source_files: relation of staging.source_files; names: what columns are called."""
    columns = ("file_path", "file_format", "is_damaged", "columns_read", "unreadable_rows")
    rows = source_files.filter(f"layout = '{TABLES}'").project(", ".join(columns)).fetchall()
    known = {row[0]: source_table(dict(zip(columns, row, strict=True)), names) for row in rows}
    return [(known[path], version) for path, version in unread]


def row_of_table(table: Table, version: str, source_row: int, document: Told, year: str | None) -> dict:
    """year: as the rows state it, which may be no year."""
    row = row_of(document) | {"file_path": table.path, "file_version": version}
    return row | {"source": TABLES, "source_row": source_row} | ({"report_year": year} if year else {})


def row_of(document: Told) -> dict:
    items = [
        {"section_label": each.label, "item_text": each.text, "fault": each.fault, "first_page": each.first_page}
        | {"headings": json.dumps(each.headings) if each.headings else None}
        for each in document.items
    ]
    of_file = {"source": LAYOUT, "source_row": 1}
    return (
        vars(document) | {"cik": str(document.cik), "report_year": str(document.report_year), "items": items} | of_file
    )
