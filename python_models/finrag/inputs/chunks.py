"""Hits that are chunks or spans of documents, as hits of the sentences in them.

A row names its query, a document, and where in it the hit is: start and end (characters), or the text. A document is a
filing's item as `export corpus` writes it (documents.parquet: sentences in their order, a blank between them), or for
texts a filing. The sentences of a chunk stand in its place, in the order of the document: those that it covers at least
half of, or that it lies in; of a text, those that stand in it, or, from 20 characters on, that it stands in. A sentence
of two chunks keeps its first place, and a chunk in which no sentence is found keeps its own as a miss.
"""

from __future__ import annotations

import json
import math
from itertools import islice
from typing import TYPE_CHECKING

from finrag.errors import FinragError
from finrag.inputs.files import decode, read_content, shorten, text_of
from finrag.inputs.rows import read_rows
from finrag.inputs.setting import NamedFile
from finrag.text.words import LEAST_EXCERPT

if TYPE_CHECKING:
    import polars

LOOKED_AT = 50
PLACES = ("document", "text")
COLUMNS = ("source_row", "query_id", "document", "start", "end", "text", "order_key")
MAPPED = f"""
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

    texts as (
        select source_row, document, lower(trim(regexp_replace(text, '\\s+', ' ', 'g'))) as text
        from chunks
        where start_at is null and text is not null
    ),

    sentence_texts as (
        select *, lower(trim(regexp_replace(sentence_text, '\\s+', ' ', 'g'))) as text from placed
    ),

    by_text as (
        select texts.source_row, sentence_texts.sentence_id, sentence_texts.document, sentence_texts.place
        from texts
        inner join sentence_texts
            on texts.document in (sentence_texts.document, sentence_texts.filing_id)
        where
            contains(texts.text, sentence_texts.text)
            or (len(texts.text) >= {LEAST_EXCERPT} and contains(sentence_texts.text, texts.text))
    ),

    named as (
        select
            chunks.source_row,
            chunks.query_id,
            chunks.order_key,
            coalesce(
                mapped.sentence_id,
                concat_ws(' ', chunks.document, coalesce(chunks.start_at || ' ' || chunks.end_at, 'row ' || source_row))
            ) as sentence_id,
            mapped.document,
            mapped.place,
        from chunks
        left join (from by_span union all from by_text) as mapped
            using (source_row)
    ),

    found as (
        select *
        from named
        qualify row_number() over (
                partition by query_id, sentence_id order by order_key nulls last, source_row, document, place
            ) = 1
    )

    select
        source_row,
        query_id,
        sentence_id,
        if(order_key is null, null, row_number() over (
            partition by query_id order by order_key nulls last, source_row, document, place
        ))::varchar as rank_text,
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
            rows.append((row.number, text(row.value["query_id"]), *placed, order_of(row.value)))
    types = dict.fromkeys(COLUMNS, pl.String) | {"source_row": pl.Int64, "order_key": pl.Float64}
    types |= dict.fromkeys(("start", "end"), pl.Int64)
    chunks = pl.DataFrame(rows, schema=types, orient="row").rename({"start": "start_at", "end": "end_at"})
    held = session.from_arrow(chunks.to_arrow())  # as long as it is read
    name_relations(session, placed_sentences=sentences, chunks=held)
    found = session.sql(MAPPED).pl()
    stated = dict.fromkeys(("fault", "query_id", "error"), pl.String)
    told = pl.DataFrame(faults, schema={"source_row": pl.Int64} | stated)
    lacking = dict.fromkeys(("sentence_id", "rank_text", "score_text", "error", "fault"), pl.lit(None, pl.String))
    parts = [
        part.with_columns(**{name: null for name, null in lacking.items() if name not in part.columns})
        for part in (found, told)
    ]
    names = ("source_row", "query_id", "sentence_id", "rank_text", "score_text", "error", "fault")
    return pl.concat([part.select(names) for part in parts]).sort("source_row", maintain_order=True)


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


def order_of(row: dict) -> float | None:
    """Ascending, best first: by the score, else by the rank; None where neither is a number."""
    numbers = [row.get(name) for name in ("score", "rank")]
    score, rank = (float(number) if is_number(number) else None for number in numbers)
    return -score if score is not None else rank
