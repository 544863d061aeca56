"""Chunks embedded, indexed and searched: what the dbt models int_chunk_index and int_chunk_hits call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from finrag.encoders.embed import distinct_hashes, embed_missing, embed_queries
from finrag.encoders.models import DOCUMENT, EmbeddingModel, read_models
from finrag.encoders.store import EmbeddingStore
from finrag.index.lance import SentenceIndex, sync
from finrag.search.dense import IndexedVectors
from finrag.tables import as_relation, literal, name_relations

if TYPE_CHECKING:
    import pyarrow as pa

INDEXES = {
    "chunking": "varchar",
    "embedding_model": "varchar",
    "fingerprint": "varchar",
    "table_path": "varchar",
    "chunk_count": "bigint",
    "left_out_count": "bigint",
    "truncated_count": "bigint",
    "median_tokens": "double",
    "checksum": "varchar",
}
# What a chunk costs to read and where it stands decide results as its vector does.
PLACES = "count(*) || '-' || coalesce(sum(hash(chunk_id, token_count, lead_length)), 0)"
# Hits of a query as far as the largest budget goes: the last one begins within it.
WITHIN_BUDGET = """
    select * from (
        select
            found.query_id,
            found.raw_rank as rank,
            found.sentence_id as chunk_id,
            found.score,
            coalesce(
                sum(chunks_searched.token_count) over (
                    partition by found.query_id
                    order by found.raw_rank
                    rows between unbounded preceding and 1 preceding
                ), 0
            )::bigint as tokens_before,
            chunks_searched.token_count,
        from found
        inner join chunks_searched on found.sentence_id = chunks_searched.chunk_id
    )
    where tokens_before < $budget
"""
HITS = "run_id varchar, query_id varchar, rank integer, chunk_id varchar, score float, tokens_before bigint"


def sync_chunk_indexes(session, chunks, filings, embedded_texts, registry, lance: str):
    """Relation of the columns INDEXES: one row per chunking and embedding model that computes here, its index in place.

    chunks, filings, embedded_texts, registry: relations of int_chunks, dim_filings, int_embedded_texts and the seed
    embedding_models. lance: the folder FINRAG_LANCE. Texts that a model has a vector of are not embedded again.
    """
    models = read_models(registry)
    in_use = [models[name] for (name,) in embedded_texts.project("model_id").order("model_id").fetchall()]
    chunkings = [name for (name,) in chunks.project("chunking").distinct().order("chunking").fetchall()]
    rows = [
        _sync(session, chunking, chunks.filter(f"chunking = {literal(chunking)}"), filings, model, lance)
        for chunking in chunkings
        for model in in_use
        if not model.is_imported
    ]
    return as_relation(session, rows, INDEXES)


def _sync(session, chunking: str, chunks, filings, model: EmbeddingModel, lance: str) -> dict[str, object]:
    store = EmbeddingStore.open(lance, model)
    texts = chunks.project("chunk_id as sentence_id, chunk_text as sentence_text, text_hash")
    hashes = distinct_hashes(texts)
    embed_missing(session, store, hashes, texts)
    report = sync(
        session,
        chunks.project(
            "chunk_id as sentence_id, text_hash, filing_id, cik, report_year, section_id, "
            # a chunk may stand under several
            "null::varchar as section_heading"
        ),
        filings,
        SentenceIndex.of_chunks(lance, chunking, model.model_id, model.fingerprint, model.dimension),
        vectors=lambda text_hashes: store.vectors(text_hashes, missing="nan"),
        source=store.checksum(hashes),
    )
    ((places, median),) = chunks.aggregate(f"{PLACES}, median(token_count)").fetchall()
    return {
        "chunking": chunking,
        "embedding_model": model.model_id,
        "fingerprint": model.fingerprint,
        "table_path": report.table_path,
        "chunk_count": report.row_count,
        "left_out_count": report.left_out_count,
        "truncated_count": _truncated(store, chunks),
        "median_tokens": median,
        "checksum": f"{report.checksum}-{places}",
    }


def _truncated(store: EmbeddingStore, chunks) -> int:
    """Chunks whose text is longer than what the model reads."""
    condition = f"role = '{DOCUMENT}' and is_truncated"
    cut = set(store.dataset().to_table(columns=["text_hash"], filter=condition)["text_hash"].to_pylist())
    return sum(text_hash in cut for (text_hash,) in chunks.project("text_hash").fetchall())


def search_chunks(session, *, planned, done, queries, chunks, registry, lance: str, budget: int):
    """Relation of the hits of planned runs that `done` does not hold yet, as int_chunk_hits describes it.

    planned, queries, chunks, registry: relations of int_chunking_runs, int_p3_queries, int_chunks and embedding_models.
    done: the table of hits so far, or None. budget: tokens; hits are kept as far as it goes.
    """
    from finrag.progress import progress

    name_relations(session, chunking_runs=planned)
    known = f"where run_id not in (select run_id from {done})" if done else ""
    runs = session.execute(
        f"select chunking, embedding_model, suite, run_id from chunking_runs {known} order by all"
    ).fetchall()
    session.execute(f"create or replace temp table new_chunk_hits ({HITS})")
    models = read_models(registry)
    opened: tuple[str, str] | None = None
    with progress("Searching chunks", len(runs), "run") as runs_done:
        for chunking, model_id, suite, run_id in runs:
            if opened != (chunking, model_id):
                opened, model = (chunking, model_id), models[model_id]
                searched = Searched(session, chunks, chunking, model, lance)
            asked = queries.filter(f"suite = {literal(suite)}").project("query_id, text_hash, query_text")
            session.register("chunk_hits", searched.hits(asked.order("query_id").to_arrow_table(), budget))
            session.execute(
                f"insert into new_chunk_hits select {literal(run_id)}, query_id, rank, chunk_id, score, tokens_before "
                "from chunk_hits"
            )
            session.unregister("chunk_hits")
            runs_done.update(1)
    return session.sql("from new_chunk_hits")


class Searched:
    """The chunks of one chunking as one model sees them."""

    def __init__(self, session, chunks, chunking: str, model: EmbeddingModel, lance: str) -> None:
        self.session = session
        self.model = model
        self.store = EmbeddingStore.open(lance, model)
        self.vectors = IndexedVectors(
            SentenceIndex.of_chunks(lance, chunking, model.model_id, model.fingerprint, model.dimension)
        )
        mine = chunks.filter(f"chunking = {literal(chunking)}").project("chunk_id, token_count")
        session.execute(f"create or replace temp table chunks_searched as {mine.sql_query()}")
        ((self.count, self.median),) = session.execute(
            "select count(*), median(token_count) from chunks_searched"
        ).fetchall()

    def hits(self, queries: pa.Table, budget: int) -> pa.Table:
        """query_id, rank, chunk_id, score, tokens_before of every query's hits, exactly, as far as the budget goes."""
        embed_queries(self.store, self.model, queries["text_hash"], queries["query_text"])
        vectors = self.store.query_vectors(queries["text_hash"])
        k = 1 + int(2 * budget / self.median)
        while True:
            self.session.register("found", self.vectors.search(queries, vectors, min(k, self.count)))
            kept = self.session.sql(WITHIN_BUDGET, params={"budget": budget}).to_arrow_table()
            self.session.unregister("found")
            if k >= self.count or self._is_read(kept, budget, queries.num_rows):
                return kept.drop_columns("token_count")
            k *= 4

    def _is_read(self, kept: pa.Table, budget: int, count: int) -> bool:
        """Whether every query's hits use up the budget."""
        self.session.register("kept", kept)
        ((least, held),) = self.session.execute(
            "select min(read), count(*) from "
            "(select max(tokens_before + token_count) as read from kept group by query_id)"
        ).fetchall()
        self.session.unregister("kept")
        return held == count and least >= budget
