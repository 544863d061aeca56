"""Hits that are chunks or spans of documents, as hits of the sentences in them.

A row names its query, a document, and where in it the hit is: start and end (characters), or the text. A document is a
filing's item as `export corpus` writes it, or for texts a filing; a text is where its letters stand in it, and the next
place where the query has it again. One that has more than the document, such as a title before it, is where the longest
end or beginning of it stands, if that is half of it or more (finrag.inputs.item_texts). The sentences of a chunk have
its rank and score, and stand in the order of the document: those that it covers at least half of, or that it lies in. A
chunk in which no sentence is found is a miss. How hits are ranked, of sentences and of chunks, is said in
finrag.search.external.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING

from finrag.inputs.files import shorten
from finrag.inputs.item_texts import Documents, Ends

if TYPE_CHECKING:
    import polars

PLACES = ("document", "text")
# What a row states of its place, null where it is a sentence.
OF_PLACE = {"document": "String", "start_at": "Int64", "end_at": "Int64", "text": "String"}
OF_TEXT = ("number", "external_run", "regime", "query_id", "document", "text")
MAPPED = """
    with placed as materialized (from placed_sentences),

    held as (
        select chunks.number, placed.sentence_id, placed.place
        from chunks
        inner join placed
            on chunks.document = placed.document
            and chunks.start_at < placed.start_at + placed.size
            and chunks.end_at > placed.start_at
        where
            2 * (least(chunks.end_at, placed.start_at + placed.size) - greatest(chunks.start_at, placed.start_at))
            >= least(placed.size, chunks.end_at - chunks.start_at)
    )

    select
        chunks.number,
        coalesce(
            held.sentence_id,
            chunks.document || ' ' || coalesce(
                chunks.start_at || ' ' || chunks.end_at,
                'row ' || chunks.source_row || if(chunks.file_number = 0, '', ' of file ' || (chunks.file_number + 1))
            )
        ) as sentence_id,
        row_number() over (partition by chunks.number order by held.place)::integer as place,
    from chunks
    left join held
        on chunks.number = held.number
"""


def is_chunk(row: Mapping) -> bool:
    """Whether a row names a document or a text in place of a sentence."""
    return row.get("sentence_id") in (None, "") and bool(set(PLACES) & row.keys())


def sentences_in(session, chunks: polars.DataFrame, sentences) -> polars.DataFrame:
    """A row for each sentence of each chunk: sentence_id, place (from 1, in its chunk), and the chunk's other columns.

    chunks: rows of hits with the columns OF_PLACE, of all files. sentences: relation of int_placed_sentences.
    """
    import polars as pl

    from finrag.tables import name_relations

    name_relations(session, placed_sentences=sentences)
    chunks = chunks.drop("sentence_id").with_row_index("number").with_columns(pl.col("number").cast(pl.Int64))
    placed = located(session, chunks)
    # held as long as it is read
    held = session.from_arrow(placed.select("number", "file_number", "source_row", *OF_PLACE).to_arrow())
    name_relations(session, chunks=held)
    return placed.join(session.sql(MAPPED).pl(), "number").drop("number", *OF_PLACE)


def located(session, chunks: polars.DataFrame) -> polars.DataFrame:
    """The chunks, each that is a text at the place where a document has it, and at none where none has."""
    import polars as pl

    session.execute(
        "create or replace temp view documents as select distinct filing_id, document from placed_sentences"
    )
    is_text = pl.col("start_at").is_null()
    texts = chunks.filter(is_text)
    documents = Documents(session) if len(texts) else None
    ends: dict[tuple, Ends] = defaultdict(dict)
    found = []
    # the texts of one filing are held at a time
    for number, *query, document, written in texts.sort("document", "number").select(OF_TEXT).iter_rows():
        meant = documents.named(document)
        place = documents.place_of(written, meant, ends[tuple(query)]) or documents.part_of(written, meant)
        found.append((number, *(place or (document, None, None))))
    types = {"number": pl.Int64, "document": pl.String, "start_at": pl.Int64, "end_at": pl.Int64}
    places = pl.DataFrame(found, schema=types, orient="row")
    at_places = texts.drop("document", "start_at", "end_at").join(places, "number")
    return pl.concat([chunks.filter(~is_text), at_places.select(chunks.columns)])


def stated_place(row: Mapping) -> dict:
    """What a row that is a chunk states in the columns OF_PLACE, or its fault."""
    if fault := fault_of(row):
        return {"fault": fault}
    start, end = span_of(row)
    written = row["text"] if start is None else None
    return {"document": row["document"], "start_at": start, "end_at": end, "text": written}


def fault_of(row: Mapping) -> str | None:
    """Why a row is no chunk; None where it is one."""
    if not text(row.get("query_id")):
        return f"without query_id: {quoted(row)}"
    if not isinstance(row.get("document"), str):
        return f"without document: {quoted(row)}"
    if (span := span_of(row)) != (None, None):
        return None if is_span(*span) else f"with a start that is below 0 or not before its end: {quoted(row)}"
    if not isinstance(row.get("text"), str):
        return f"without start and end, whole numbers, or text: {quoted(row)}"
    # blanks and a full stop stand in every sentence
    if not any(letter.isalnum() for letter in row["text"]):
        return f"with a text that has neither letters nor digits: {quoted(row)}"
    return None


def span_of(row: Mapping) -> tuple[int, int] | tuple[None, None]:
    """Where a chunk begins and ends; None for both where either is no whole number."""
    start, end = whole(row.get("start")), whole(row.get("end"))
    return (None, None) if start is None or end is None else (start, end)


def is_span(start: int, end: int) -> bool:
    """Whether there is a character from start to end."""
    return 0 <= start < end


def quoted(row: Mapping) -> str:
    return shorten(json.dumps(row, default=str))


def text(value: object) -> str | None:
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        return None
    return str(value)


def whole(value: object) -> int | None:
    """None for all else, such as NaN, which a null in a column of Parquet is read as, and figures beyond all texts."""
    # the length of a span has to fit into 64 bits, too
    if not is_number(value) or abs(value) >= 2**62 or value != int(value):
        return None
    return int(value)


def is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
