"""Hits that are chunks or spans of documents, as hits of the sentences in them.

A row names its query, a document, and where in it the hit is: start and end (characters), or the text. A document is a
filing's item as `export corpus` writes it, or for texts a filing; a text is where its letters stand in it, and the next
place where the query has it again. One that has more than the document, such as a title before it, is where the longest
end or beginning of it stands, if that is half of it or more (finrag.inputs.item_texts). The sentences of a chunk stand
in its place, in the order of the document: those that it covers at least half of, or that it lies in. A sentence of two
chunks keeps its first place, and a chunk in which no sentence is found keeps its own as a miss. Equal chunks stand in
the order of the file.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from itertools import islice
from typing import TYPE_CHECKING

from finrag.errors import FinragError
from finrag.inputs.files import decode, read_content, shorten, text_of
from finrag.inputs.item_texts import Documents, Ends
from finrag.inputs.order import in_order, with_numbers
from finrag.inputs.rows import read_rows
from finrag.inputs.setting import NamedFile

if TYPE_CHECKING:
    import polars

LOOKED_AT = 50
PLACES = ("document", "text")
COLUMNS = ("source_row", "query_id", "document", "start_at", "end_at", "text", "rank_text", "score_text")
OF_TEXT = ("source_row", "query_id", "document", "text")
NAMES = ("source_row", "query_id", "sentence_id", "rank_text", "score_text", "error", "fault", "reason")
MAPPED = """
    with placed as materialized (from placed_sentences),

    by_span as (
        select chunks.source_row, placed.sentence_id, placed.document, placed.place
        from chunks
        inner join placed
            on chunks.document = placed.document
            and chunks.start_at < placed.start_at + placed.size
            and chunks.end_at > placed.start_at
        where
            2 * (least(chunks.end_at, placed.start_at + placed.size) - greatest(chunks.start_at, placed.start_at))
            >= least(placed.size, chunks.end_at - chunks.start_at)
    ),

    named as (
        select
            chunks.source_row,
            chunks.query_id,
            chunks.order_key,
            coalesce(
                mapped.sentence_id,
                chunks.document || ' ' || coalesce(
                    chunks.start_at || ' ' || chunks.end_at, 'row ' || chunks.source_row
                )
            ) as sentence_id,
            mapped.document,
            mapped.place,
        from chunks
        left join by_span as mapped
            on chunks.source_row = mapped.source_row
    ),

    found as (
        select *
        from named
        qualify row_number() over (
                partition by query_id, sentence_id order by order_key, source_row, document, place
            ) = 1
    )

    select
        source_row,
        query_id,
        sentence_id,
        row_number() over (partition by query_id order by order_key, source_row, document, place)::varchar as rank_text,
    from found
    order by source_row, document, place
"""


def is_of_chunks(path: str) -> bool:
    """Whether the first rows of a file name documents or texts in place of sentences; False where it cannot be read."""
    import io

    import pyarrow
    import pyarrow.parquet

    try:
        content = read_content(path)
        if content[:4] == b"PAR1":
            names = pyarrow.parquet.ParquetFile(io.BytesIO(content)).schema_arrow.names
            return "sentence_id" not in names and bool(set(PLACES) & set(names))
        lines = [line for line in islice(text_of(content).split("\n"), LOOKED_AT) if line.lstrip()[:1] == "{"]
        rows = [decode(line) for line in lines]
    except (OSError, ValueError, FinragError, pyarrow.ArrowException):
        return False
    hits = [row for row in rows if isinstance(row, dict) and not row.get("error")]
    return bool(hits) and all("sentence_id" not in row and set(PLACES) & row.keys() for row in hits)


def read_chunks(session, path: str, sentences) -> polars.DataFrame:
    """The hits of a file of chunks, as finrag.inputs.hits reads them before it reads their numbers.

    sentences: relation of int_placed_sentences.
    """
    import polars as pl

    from finrag.tables import name_relations

    rows, faults = [], []
    for row in read_rows(NamedFile("", path)):
        row = row.as_object()
        fault = row.detail if row.reason else fault_of(row.value)
        if fault or row.value.get("error"):
            stated = {} if row.reason else {name: text(row.value.get(name)) for name in ("query_id", "error")}
            faults.append({"source_row": row.number, "fault": fault, **stated})
        else:
            placed = (row.value["document"], *span_of(row.value), row.value.get("text"))
            numbers = (row.value.get(name) for name in ("rank", "score"))
            stated = (None if number is None else str(number) for number in numbers)
            rows.append((row.number, text(row.value["query_id"]), *placed, *stated))
    types = dict.fromkeys(COLUMNS, pl.String) | dict.fromkeys(("source_row", "start_at", "end_at"), pl.Int64)
    chunks, rejected = in_order(with_numbers(pl.DataFrame(rows, schema=types, orient="row")), ["query_id"])
    name_relations(session, placed_sentences=sentences)
    held = session.from_arrow(located(session, chunks).to_arrow())  # as long as it is read
    name_relations(session, chunks=held)
    stated = dict.fromkeys(("fault", "query_id", "error"), pl.String)
    parts = [
        session.sql(MAPPED).pl(),
        pl.DataFrame(faults, schema={"source_row": pl.Int64} | stated),
        rejected.rename({"detail": "fault"}),
    ]
    lacking = [{name: pl.lit(None, pl.String) for name in NAMES if name not in part.columns} for part in parts]
    filled = [part.with_columns(**nulls).select(NAMES) for part, nulls in zip(parts, lacking, strict=True)]
    return pl.concat(filled).sort("source_row", maintain_order=True)


def located(session, chunks: polars.DataFrame) -> polars.DataFrame:
    """The chunks, each that is a text at the place where a document has it, and at none where none has."""
    import polars as pl

    session.execute(
        "create or replace temp view documents as select distinct filing_id, document from placed_sentences"
    )
    is_text = pl.col("start_at").is_null()
    texts = chunks.filter(is_text)
    documents = Documents(session) if len(texts) else None
    ends: dict[str, Ends] = defaultdict(dict)
    found = []
    # the texts of one filing are held at a time
    for number, query, document, written in texts.sort("document", "source_row").select(OF_TEXT).iter_rows():
        meant = documents.named(document)
        place = documents.place_of(written, meant, ends[query]) or documents.part_of(written, meant)
        found.append((number, *(place or (document, None, None))))
    types = {"source_row": pl.Int64, "document": pl.String, "start_at": pl.Int64, "end_at": pl.Int64}
    places = pl.DataFrame(found, schema=types, orient="row")
    at_places = texts.drop("document", "start_at", "end_at").join(places, "source_row")
    return pl.concat([chunks.filter(~is_text), at_places.select(chunks.columns)]).drop("text")


def fault_of(row: dict) -> str | None:
    """Why a row is no hit; None where it is one, or states an error."""
    if not text(row.get("query_id")):
        return f"without query_id: {quoted(row)}"
    if row.get("error"):
        return None
    if not isinstance(row.get("document"), str):
        return f"without document: {quoted(row)}"
    if span_of(row) != (None, None):
        return None
    if not isinstance(row.get("text"), str):
        return f"without start and end, whole numbers, or text: {quoted(row)}"
    # blanks and a full stop stand in every sentence
    if not any(letter.isalnum() for letter in row["text"]):
        return f"with a text that has neither letters nor digits: {quoted(row)}"
    return None


def span_of(row: dict) -> tuple[int, int] | tuple[None, None]:
    """Where a chunk begins and ends; None for both where either is no whole number."""
    start, end = whole(row.get("start")), whole(row.get("end"))
    return (None, None) if start is None or end is None else (start, end)


def quoted(row: dict) -> str:
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
