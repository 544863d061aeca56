"""Documents as a table: every file is read once, one after the other, so memory is that of the longest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from finrag.corpus.documents.document import Told, read_any

if TYPE_CHECKING:
    from collections.abc import Sequence

LAYOUT = "documents"
ITEM = "section_label varchar, item_text varchar, fault varchar, first_page integer"
COLUMNS = (
    "file_path varchar, file_version varchar, doc_id varchar, cik varchar, company_name varchar, form_type varchar, "
    f"period_end varchar, report_year varchar, report_year_source varchar, items struct({ITEM})[]"
)
# So many files are written at a time.
FILES_PER_BATCH = 16


def read_documents(session, todo: Sequence[tuple[str, str]]):
    """Relation with one row per file of todo, (file_path, file_version), its sections as a list; see COLUMNS.

    It passes through a temporary table, which spills to disk.
    """
    import pyarrow

    from finrag.progress import progress

    session.execute(f"create or replace temp table documents ({COLUMNS})")
    schema = session.table("documents").limit(0).to_arrow_table().schema
    with progress("Reading documents", len(todo), "document") as files_done:
        for begin in range(0, len(todo), FILES_PER_BATCH):
            rows = []
            for path, version in todo[begin : begin + FILES_PER_BATCH]:
                rows.append({"file_path": path, "file_version": version} | row_of(read_any(path)))
                files_done.update(1)
            session.register("documents_batch", pyarrow.Table.from_pylist(rows, schema=schema))
            session.execute("insert into documents select * from documents_batch")
            session.unregister("documents_batch")
    return session.table("documents")


def row_of(document: Told) -> dict:
    items = [
        {"section_label": each.label, "item_text": each.text, "fault": each.fault, "first_page": each.first_page}
        for each in document.items
    ]
    return vars(document) | {"cik": str(document.cik), "report_year": str(document.report_year), "items": items}
