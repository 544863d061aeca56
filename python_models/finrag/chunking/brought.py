"""Chunks that were cut elsewhere: rows of a document and where in it a chunk is, or its text, or both.

Documents are those of `export corpus` (documents.parquet): `<filing_id>/<section_id>`, or a filing for a text in any of
its items. Where start and end are given, a text beside them is what is embedded and read, such as a summary and the
text; one that is shorter than the place is embedded, and the place is read. Of a text alone, its letters are looked for
in the document, whatever blanks are between them. A text that a file states again is the next place that has it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from finrag.errors import FinragError
from finrag.inputs.chunks import is_span, quoted, span_of, text
from finrag.inputs.item_texts import Documents, Ends
from finrag.inputs.rows import read_rows
from finrag.inputs.setting import Grammar, NamedFile
from finrag.tables import name_relations

if TYPE_CHECKING:
    import polars

GRAMMAR = Grammar("external_chunks", "name=path pairs separated by spaces, globs allowed", "mine=chunks.parquet")
TYPES = {
    "chunking": "String",
    "file_path": "String",
    "source_row": "Int64",
    "document": "String",
    "start_at": "Int64",
    "end_at": "Int64",
    "chunk_text": "String",
    "reason": "String",
    "detail": "String",
}
Row = tuple  # the values of TYPES


def read_brought(session, setting: str, taken: Collection[str], placed_sentences, documents) -> polars.DataFrame:
    """Every row of the files of the var external_chunks, with the columns TYPES; one with a reason is no chunk.

    taken: names of the chunkings of the registry. placed_sentences, documents: relations of int_placed_sentences and
    int_documents.
    """
    import polars as pl

    files = GRAMMAR.parse(setting)
    name_relations(session, placed_sentences=placed_sentences, documents=documents)
    if known := sorted({file.name for file in files} & set(taken)):
        raise FinragError(f"{GRAMMAR.option} gives the name {known[0]!r}, which is a chunking here. Give it another.")
    texts = Documents(session) if files else None
    rows = [row for file in files for row in rows_of(file, texts)]
    frame = pl.DataFrame(rows, schema={name: getattr(pl, kind) for name, kind in TYPES.items()}, orient="row")
    repeated = pl.col("reason").is_null() & (
        pl.int_range(pl.len()).over("chunking", "document", "start_at", "end_at", "reason") > 0
    )
    return frame.with_columns(
        reason=pl.when(repeated).then(pl.lit("repeated_chunk")).otherwise("reason"),
        detail=pl.when(repeated).then(pl.lit("the chunking has a chunk at the same place already")).otherwise("detail"),
    )


def rows_of(file: NamedFile, documents: Documents) -> Iterator[Row]:
    ends: Ends = {}
    for row in read_rows(file):
        row = row.as_object()
        if row.reason:
            yield (file.name, file.path, row.number, None, None, None, None, row.reason, row.detail)
        else:
            yield (file.name, file.path, row.number, *placed(row.value, documents, ends))


def placed(row: dict, documents: Documents, ends: Ends) -> Row:
    """document, start_at, end_at, chunk_text, reason and detail of a row."""
    name, written = text(row.get("document")), row.get("text")
    start, end = span_of(row)
    has_place = start is not None
    if name is None or not (has_place or isinstance(written, str)):
        detail = f"needs document, and start and end (characters) or text: {quoted(row)}"
        return (name, None, None, None, "no_place", detail)
    meant = documents.named(name)
    if not meant or (has_place and name not in meant):
        return (name, None, None, None, "unknown_document", f"the corpus has no document {name!r} (export corpus)")
    if has_place:
        held = documents[name].text
        if not is_span(start, end) or end > len(held):
            return (
                name,
                start,
                end,
                None,
                "outside_document",
                f"{start} to {end} of a text of {len(held):,} characters",
            )
        return (name, start, end, written if isinstance(written, str) else held[start:end], None, None)
    # where no place is left it is the first, which is a chunk already, and told as one that is repeated
    if found := documents.place_of(written, meant, ends):
        document, *span = found
        return (*found, documents[document].text[slice(*span)], None, None)
    return (name, None, None, None, "text_not_found", f"its document does not hold the text: {quoted(row)}")
