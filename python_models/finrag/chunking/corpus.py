"""The chunks of the corpus: what the dbt model int_chunks calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from finrag.chunking.cuts import CHARACTERS_OF_A_TOKEN, CUTS, Chunking, Piece
from finrag.errors import FinragError
from finrag.project import registry_of
from finrag.settings import named
from finrag.tables import literal, name_relations

if TYPE_CHECKING:
    import polars

# Characters of documents that are cut at a time.
SLICE_CHARACTERS = 64 * 1024**2
COLUMNS = ("chunking", "document", "start_at", "end_at", "chunk_text")
CHUNKS = """
    create or replace temp table chunks (
        chunking varchar, document varchar, start_at bigint, end_at bigint, chunk_text varchar
    )
"""
# A lead is what stands in a chunk before the text of the filing: a header, or what its owner put there. A text that is
# shorter than its place, such as a summary, is what is searched; what is read, and earns its sentences, is the place.
COMPLETE = f"""
    select
        chunks.chunking,
        chunks.document || ':' || chunks.start_at || '-' || chunks.end_at as chunk_id,
        chunks.document,
        documents.filing_id,
        documents.cik,
        documents.report_year,
        documents.section_id,
        chunks.start_at,
        chunks.end_at,
        greatest(length(chunks.chunk_text) - (chunks.end_at - chunks.start_at), 0)::bigint as lead_length,
        ceil(greatest(length(chunks.chunk_text), chunks.end_at - chunks.start_at) / {CHARACTERS_OF_A_TOKEN})::bigint
            as token_count,
        chunks.chunk_text,
        md5(lower(trim(regexp_replace(chunks.chunk_text, '\\s+', ' ', 'g')))) as text_hash,
    from chunks
    inner join documents using (document)
"""


def chosen_chunkings(registry, names: str) -> list[Chunking]:
    """The rows of the seed chunkings that the var of that name names, each once. registry: relation of the seed."""
    columns = "chunking, cut, size, overlap, has_header"
    known = {row[0]: Chunking(*row) for row in registry.project(columns).order("chunking").fetchall()}
    if unknown := [name for name in names.split() if name not in known]:
        raise FinragError(
            f"{named('chunkings', begins=True)} names {', '.join(unknown)}. Allowed: {', '.join(known)}. Correct it, "
            f"or add a row to {registry_of('chunkings')}; cuts are {', '.join(CUTS)}."
        )
    return [known[name] for name in dict.fromkeys(names.split())]


def cut_corpus(session, placed_sentences, documents, registry, names: str, brought):
    """Relation of the chunks of every chunking in use, with the columns of int_chunks.

    session: DuckDB connection. placed_sentences, documents: relations of int_placed_sentences and int_documents.
    registry, names: of the seed chunkings and the var of that name. brought: relation of int_external_chunks.
    """
    chunkings = chosen_chunkings(registry, names)
    name_relations(session, placed_sentences=placed_sentences, documents=documents, brought=brought)
    session.execute(CHUNKS)
    for slice_of in slices_of(session) if chunkings else ():
        session.register("cut", cut_documents(session, slice_of, chunkings).to_arrow())
        session.execute("insert into chunks select * from cut")
        session.unregister("cut")
    session.execute(f"insert into chunks select {', '.join(COLUMNS)} from brought where reason is null")
    return session.sql(COMPLETE)


def slices_of(session) -> Iterator[str]:
    """Conditions over documents, each of as many as hold SLICE_CHARACTERS or one that is longer."""
    total = f"sum(size) over (order by document) // {SLICE_CHARACTERS}"
    query = (
        f"select min(document), max(document) from (select document, {total} as slice from documents) group by slice"
    )
    for first, last in session.execute(f"{query} order by 1").fetchall():
        yield f"document between {literal(first)} and {literal(last)}"


def cut_documents(session, condition: str, chunkings: Sequence[Chunking]) -> polars.DataFrame:
    """The chunks of the documents of a slice, by all chunkings; columns COLUMNS."""
    import polars as pl

    tags = dict(session.execute(f"select document, entity_tag from documents where {condition}").fetchall())
    sentences = session.execute(
        f"select document, sentence_text, sentence_kind, start_at, size from placed_sentences where {condition} "
        "order by document, place"
    ).fetchall()
    rows = []
    for document, held in groupby(sentences, key=itemgetter(0)):
        held = list(held)
        text = " ".join(sentence for _, sentence, *_ in held)
        pieces = [Piece(start, start + size, kind) for _, _, kind, start, size in held]
        for chunking in chunkings:
            header = f"{tags[document]} " if chunking.has_header else ""
            rows += [
                (chunking.name, document, start, end, header + text[start:end])
                for start, end in chunking.spans(text, pieces)
            ]
    types = {name: pl.Int64 if name.endswith("_at") else pl.String for name in COLUMNS}
    return pl.DataFrame(rows, schema=types, orient="row")
