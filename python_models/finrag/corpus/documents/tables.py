"""Tables of documents: a row is a document, or a page of one, with its id and its text.

BEIR's corpus.jsonl (_id, title, text) is one; so is any JSON, CSV or Parquet of doc_id or _id, text and, as far as they
are stated, title, company, cik, year and page, a number from 1. Texts are read as Markdown, the title as a heading.
Rows of one id are the pages of one document; where they state no page, or one again, they are further copies of it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from finrag.corpus.documents.document import Told, told
from finrag.corpus.documents.pdf import Paragraph
from finrag.corpus.documents.text import markdown, paragraphs_of
from finrag.corpus.names import number_of
from finrag.corpus.reader import reader
from finrag.tables import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

LAYOUT = "document_tables"
# Names that a column may have, the first one ours.
COLUMNS = {
    "doc_id": ("doc_id", "_id"),
    "text": ("text",),
    "title": ("title",),
    "company": ("company", "company_name"),
    "cik": ("cik", "company_cik"),
    "year": ("year", "report_year"),
    "page": ("page", "page_number"),
}
DOCUMENTS_AT_A_TIME = 1024
# The rows of a table in their order, each with what is wrong with it.
ROWS = """
    with stated as (
        select row_number() over () as source_row, {columns}
        from {relation}
    ),

    rows as (
        select
            * replace (
                try_cast(try_cast(page as double) as integer) as page,
                regexp_replace(cik, '\\.0$', '') as cik,
                regexp_replace(year, '\\.0$', '') as year,
            ),
            case
                when coalesce(trim(doc_id), '') = '' then 'states no doc_id'
                when trim(page) != '' and coalesce(try_cast(page as double), 0) < 1
                    then 'states a page that is no number from 1'
                when trim(cik) != '' and not regexp_full_match(trim(cik), '\\d{{1,10}}(\\.0)?')
                    then 'states a cik that is no number of up to ten digits'
            end as fault,
        from stated
    )
"""
# The documents of a table in their order, each with its pages.
DOCUMENTS = """,

    placed as (
        select
            *,
            row_number() over (partition by doc_id, page order by source_row) as occurrence,
        from rows
        where fault is null {and_readable}
    )

    select
        doc_id,
        min(source_row) as source_row,
        list({{'page': page, 'text': text}} order by page nulls first, source_row) as pages,
        max(title) as title,
        max(company) as company,
        max(cik) as cik,
        max(year) as year,
    from placed
    group by doc_id, occurrence
    order by source_row
"""


@dataclass(frozen=True)
class Table:
    """A file that was admitted as a table of documents.

    names: what it calls columns, by our names. columns_read: those that it is read by, None for ours. unreadable: the
    rows, from 1, that were turned down when it was admitted: DuckDB makes a text of a list, and takes one of two values
    where a name stands twice.
    """

    path: str
    file_format: str
    is_damaged: bool
    names: Mapping[str, str] | None
    columns_read: tuple[str, ...] | None = None
    unreadable: tuple[int, ...] = ()


def source_table(file: Mapping, names: Mapping[str, str] | None) -> Table:
    """A file by its row of staging.source_files."""
    stated = file["columns_read"]
    unreadable = tuple(map(int, json.loads(file["unreadable_rows"] or "{}")))
    columns = tuple(json.loads(stated)) if stated else None
    return Table(file["file_path"], file["file_format"], bool(file["is_damaged"]), names, columns, unreadable)


def read_table(connection, table: Table) -> Iterator[tuple[int, Told, str | None]]:
    """The number of its first row, from 1, each document and the year that is stated, as it is stated."""
    cursor = connection.cursor()
    unreadable = ", ".join(map(str, table.unreadable))
    readable = f"and source_row not in ({unreadable})" if unreadable else ""
    cursor.execute(rows_of(cursor, table) + DOCUMENTS.format(and_readable=readable))
    company = named_after(table.path)
    while rows := cursor.fetchmany(DOCUMENTS_AT_A_TIME):
        for doc_id, source_row, pages, title, *stated in rows:
            yield source_row, document_of(table.path, doc_id, title, pages, (company, *stated)), stated[-1]


def wrong_rows(connection, table: Table) -> dict[int, str]:
    """By number, from 1, the rows that are no documents, and why. A line that is no JSON has its own reason."""
    query = rows_of(connection, table) + "select source_row, fault from rows where fault is not null order by all"
    return dict(connection.execute(query).fetchall())


def rows_of(connection, table: Table) -> str:
    return ROWS.format(columns=columns_of(connection, table), relation=relation_of(table))


def document_of(path: str, doc_id: str, title: str | None, pages: list[dict], stated: tuple) -> Told:
    """stated: the company of the table as a whole, and what the rows state: company, number and year."""
    whose, company, cik, year = stated
    paragraphs = (
        [Paragraph(title.strip(), int(pages[0]["page"] or 0), is_heading=True)] if title and title.strip() else []
    )
    for each in pages:
        found = paragraphs_of(each["text"] or "", markdown)
        page = int(each["page"] or 0)
        paragraphs += [replace(paragraph, page=page) for paragraph in found] if page else found
    document = told(paragraphs, doc_id.strip(), path)
    # what rows state comes first, then what the id or the text says; the id alone is nobody's name
    name = company or (whose if document.company_name == document.doc_id else document.company_name)
    number = int(cik) if cik and cik.strip() else None if name == document.company_name else number_of(name)
    return replace(
        document,
        cik=number if number is not None else document.cik,
        company_name=name,
        report_year_source="stated" if year else document.report_year_source,
    )


def named_after(path: str) -> str:
    """Documents of which nothing says whose they are, are the table's: its name, or its folder's for a corpus.jsonl."""
    stem = Path(path).name.split(".")[0]
    return Path(path).absolute().parent.name if stem == "corpus" else stem


def columns_of(connection, table: Table) -> str:
    """Each column by our name, as text, null where the file has none of its names."""
    described = connection.execute(f"describe select * from {relation_of(table)}").fetchall()
    present = {name.lower(): text_of(name, kind) for name, kind, *_ in described}
    return ", ".join(
        f"{value_of([present[name.lower()] for name in names if name.lower() in present])} as {column}"
        for column, names in names_of(table.names).items()
    )


def names_of(names: Mapping[str, str] | None) -> dict[str, tuple[str, ...]]:
    own = {ours.lower(): theirs for ours, theirs in (names or {}).items()}
    return {column: (*known, *([own[column]] if column in own else [])) for column, known in COLUMNS.items()}


def text_of(column: str, kind: str) -> str:
    """A column as text; whole numbers are floats where some are missing, so that 1.0 is 1 and NaN is null."""
    text = f"{quoted(column)}::varchar"
    if kind not in ("FLOAT", "DOUBLE"):
        return text
    # no isnan, nor any comparison: DuckDB decides these by the file's statistics, which leave NaN out
    return rf"nullif(regexp_replace({text}, '^nan$|\.0$', ''), '')"


def value_of(texts: list[str]) -> str:
    return f"coalesce({', '.join([*texts, 'null'])})::varchar"


def relation_of(table: Table) -> str:
    columns = table.columns_read
    if columns is None and table.file_format == "json":
        columns = [name for names in names_of(table.names).values() for name in names]
    typed = None if columns is None else dict.fromkeys(columns, "VARCHAR")
    return reader(table.file_format, table.path, typed, table.is_damaged)
