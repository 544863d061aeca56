"""Strategies that are told where the evidence stands: what a perfect search, and perfect filters, would be worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from finrag.encoders.embed import embed_queries
from finrag.encoders.models import read_models
from finrag.encoders.store import EmbeddingStore
from finrag.index.lance import SentenceIndex
from finrag.search.dense import IndexedVectors
from finrag.tables import name_relations

if TYPE_CHECKING:
    import pyarrow as pa

HITS = "(run_id varchar, query_id varchar, sentence_id varchar, raw_rank integer, score float)"
# The evidence in the order of a context: what was chosen before what says the same.
EVIDENCE = """
    insert into told_hits
    select
        new_runs.run_id,
        gold.query_id,
        gold.sentence_id,
        row_number() over best as raw_rank,
        gold.grade::float,
    from new_runs
    inner join gold_of_runs as gold using (suite)
    where new_runs.method = 'gold' and gold.gold_predicate = 'evidence'
    window best as (partition by new_runs.run_id, gold.query_id order by gold.grade desc, gold.sentence_id desc)
    qualify raw_rank <= $depth
"""
# Each question once for every filing that holds evidence of it.
ASKED_OF_FILINGS = """
    select distinct
        queries_of_runs.query_id,
        queries_of_runs.text_hash,
        queries_of_runs.query_text,
        sentences_of_index.filing_id,
    from queries_of_runs
    inner join gold_of_runs as gold using (suite, query_id)
    inner join sentences_of_index on gold.sentence_id = sentences_of_index.sentence_id
    where queries_of_runs.suite = $suite and gold.gold_predicate = 'evidence'
    order by all
"""
BEST_OF_FILINGS = """
    insert into told_hits
    select
        $run_id,
        query_id,
        sentence_id,
        row_number() over (partition by query_id order by score desc, sentence_id desc) as raw_rank,
        score,
    from (select distinct query_id, sentence_id, score from found)
    qualify raw_rank <= $depth
"""


def search_told(session, gold, registry, lance: str, depth: int) -> None:
    """Fill the table told_hits with the hits of the runs of new_runs whose strategy is told the gold.

    session: its queries_of_runs are those of the runs. gold: relation of int_p3_gold, or None. registry: relation of
    embedding_models. lance: folder of the vectors. depth: hits of a question, at most.
    """
    session.execute(f"create or replace temp table told_hits {HITS}")
    if gold is None:
        return
    name_relations(session, gold_of_runs=gold)
    session.execute(EVIDENCE, {"depth": depth})
    runs = session.execute(
        "select run_id, suite, embedding_model from new_runs where method = 'gold_filings' order by all"
    ).fetchall()
    models = read_models(registry) if runs else {}
    for run_id, suite, model_id in runs:
        model = models[model_id]
        index = SentenceIndex.of_vectors(lance, model_id, model.fingerprint, model.dimension)
        session.register("sentences_of_index", index.dataset().to_table(columns=["sentence_id", "filing_id"]))
        asked = session.sql(ASKED_OF_FILINGS, params={"suite": suite}).to_arrow_table()
        session.register("found", _nearest(index, EmbeddingStore.open(lance, model), asked, depth))
        session.execute(BEST_OF_FILINGS, {"run_id": run_id, "depth": depth})
        session.unregister("found")
        session.unregister("sentences_of_index")


def _nearest(index: SentenceIndex, store: EmbeddingStore, asked: pa.Table, depth: int) -> pa.Table:
    """Hits (finrag.search.hits) of each row of asked within its filing."""
    embed_queries(store, store.model, asked["text_hash"], asked["query_text"])
    vectors = store.query_vectors(asked["text_hash"])
    return IndexedVectors(index).search(asked, vectors, depth, ("filing_id",))
