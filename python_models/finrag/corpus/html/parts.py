"""10-Ks in HTML as a table: every file is read once, one after the other, so memory is that of the longest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from finrag.corpus.html.facts import Fact, read_facts, words_of
from finrag.corpus.html.filing import Filing, read_filing
from finrag.corpus.html.tables import Figure, Table, read_tables
from finrag.tables import append

if TYPE_CHECKING:
    from collections.abc import Sequence

COVER = (
    *("cik", "company_name", "form_type", "period_end", "report_year", "report_year_source"),
    "fiscal_year_focus",
)
ITEM = "section_label varchar, item_text varchar, fault varchar"
# item_start, item_end: letters and digits of the item before and through it; null of what stands in no item.
PLACE = "section_label varchar, item_start bigint, item_end bigint"
FACT = (
    "fact_no integer, concept varchar, concept_words varchar, value_text varchar, value double, is_nil boolean, "
    "sign varchar, scale integer, decimals varchar, unit varchar, period_start varchar, period_end varchar, "
    f"dimensions varchar, footnote varchar, fault varchar, table_no integer, row_no integer, column_no integer, {PLACE}"
)
ROW = f"row_no integer, row_label varchar, row_text varchar, {PLACE}"
FIGURE = (
    "row_no integer, column_no integer, row_label varchar, column_header varchar, value_text varchar, value double, "
    "unit varchar, scale double, period_end varchar, period_year integer"
)
TABLE = (
    f'table_no integer, title varchar, caption varchar, scale double, scale_source varchar, "rows" struct({ROW})[], '
    f"figures struct({FIGURE})[]"
)
COLUMNS = ", ".join(
    [f"{column} varchar" for column in ("file_path", "file_version", *COVER)]
    + [f"items struct({ITEM})[]", f"facts struct({FACT})[]", f"tables struct({TABLE})[]"]
)
LAYOUT = "edgar_html"
# So many files are written at a time.
FILES_PER_BATCH = 16


def unread(loaded_files, built, session, layout: str = LAYOUT) -> list[tuple[str, str]]:
    """(file_path, file_version) of a layout's files that built does not hold in their version, in their order."""
    files = loaded_files.filter(f"layout = '{layout}'").project("file_path, file_version")
    if built is not None:
        files = files.except_(session.table(str(built)).project("file_path, file_version"))
    return files.order("file_path").fetchall()


def read_files(session, todo: Sequence[tuple[str, str]]):
    """Relation with one row per file, its items, facts and tables as lists; see COLUMNS.

    It passes through a temporary table, which spills to disk.
    """
    from finrag.progress import progress

    session.execute(f"create or replace temp table html_filings ({COLUMNS})")
    with progress("Reading HTML", len(todo), "filing") as files_done:
        for begin in range(0, len(todo), FILES_PER_BATCH):
            rows = []
            for path, version in todo[begin : begin + FILES_PER_BATCH]:
                rows.append(row_of(path, version, read_filing(path)))
                files_done.update(1)
            append(session, "html_filings", rows)
    return session.table("html_filings")


def row_of(path: str, version: str, filing: Filing) -> dict:
    """A row of COLUMNS."""
    tables = read_tables(filing.document.lines, list(filing.places))
    cells = {tag: (table, figure) for table in tables for figure in table.figures for tag in figure.tags}
    return {
        "file_path": path,
        "file_version": version,
        **{name: getattr(filing.cover, name) for name in COVER},
        "items": [{"section_label": item.label, "item_text": item.text, "fault": item.fault} for item in filing.items],
        "facts": [fact_row(filing, fact, cells) for fact in read_facts(filing.document)],
        "tables": [table_row(filing, table) for table in tables],
    }


def fact_row(filing: Filing, fact: Fact, cells: dict[int, tuple[Table, Figure]]) -> dict:
    table, figure = cells.get(fact.fact_no, (None, None))
    place = {} if fact.line is None else place_of(filing, fact.line, fact.start, fact.end)
    stands = {"table_no": table.table_no, "row_no": figure.row, "column_no": figure.column} if table and figure else {}
    return {**vars(fact), "concept_words": words_of(fact.concept), **stands, **place}


def table_row(filing: Filing, table: Table) -> dict:
    rows = []
    for row in table.rows:
        line = filing.document.lines[row.line]
        place = place_of(filing, row.line, line.start, line.end)
        rows.append({"row_no": row.row, "row_label": row.label, "row_text": row.text, **place})
    return {
        **vars(table),
        "rows": rows,
        "figures": [{**vars(figure), "row_no": figure.row, "column_no": figure.column} for figure in table.figures],
    }


def place_of(filing: Filing, line: int, start: int, end: int) -> dict:
    """Where in its item a stretch of a line stands."""
    if line not in filing.places:
        return {}
    label, before = filing.places[line]
    shift = before - filing.document.lines[line].start
    return {"section_label": label, "item_start": start + shift, "item_end": end + shift}
