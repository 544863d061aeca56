"""What vectors say about a query before any search: whether it has one, and how far its gold is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from finrag.tables import name_relations

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    from finrag.encoders.store import EmbeddingStore

# One search state per suite, model, index and gold; runs of every regime share it.
NEW_STATES = """
    select distinct suite, embedding_model, index_checksum, gold_version
    from planned_of_distances
    where method in ('dense', 'hybrid') {known}
    order by all
"""
GOLD_OF_SUITE = """
    select distinct queries.query_id, queries.text_hash, gold.sentence_id, sentences.text_hash as gold_hash
    from queries_of_distances as queries
    left join gold_of_distances as gold using (query_id)
    left join sentences_of_distances as sentences on gold.sentence_id = sentences.sentence_id
    where queries.suite = ?
    order by all
"""


def measure_new(session, *, planned, done, queries, gold, sentences, registry, lance: str) -> pa.Table:
    """One row per new search state and query, as int_anchor_distances describes it.

    planned, queries, gold, sentences, registry: relations of the planned runs, their queries, their gold,
    fct_sentences and embedding_models. done: the table so far, or None. lance: folder of the vectors, which hold the
    queries by now.
    """
    import pyarrow as pa

    from finrag.encoders.models import read_models
    from finrag.encoders.store import EmbeddingStore

    name_relations(
        session,
        planned_of_distances=planned,
        queries_of_distances=queries,
        gold_of_distances=gold,
        sentences_of_distances=sentences,
    )
    known = (
        f"and (suite, index_checksum, gold_version) not in (select (suite, index_checksum, gold_version) from {done})"
        if done
        else ""
    )
    models = read_models(registry)
    tables = [schema().empty_table()]
    for suite, model_id, index_checksum, gold_version in session.execute(NEW_STATES.format(known=known)).fetchall():
        pairs = session.sql(GOLD_OF_SUITE, params=[suite]).to_arrow_table()
        state = {
            "suite": suite,
            "embedding_model": model_id,
            "index_checksum": index_checksum,
            "gold_version": gold_version,
        }
        measured = of_pairs(EmbeddingStore.open(lance, models[model_id]), pairs)
        tables.append(pa.Table.from_pylist([state | row for row in measured], schema()))
    return pa.concat_tables(tables)


def of_pairs(store: EmbeddingStore, pairs: pa.Table) -> list[dict]:
    """query_id, has_vector, gold_ids and distances of every query.

    pairs: query_id, text_hash, sentence_id and gold_hash, one row per query and gold sentence, sorted by query; the
    last two are null for a query without gold. A distance is 1 - cosine similarity, computed as the search does; gold
    without a vector has none.
    """
    import numpy as np

    query_vectors, query = distinct_vectors(pairs["text_hash"], lambda texts: store.query_vectors(texts, missing="nan"))
    gold_vectors, gold = distinct_vectors(
        pairs["gold_hash"].fill_null(""), lambda texts: store.vectors(texts, missing="nan")
    )
    from finrag.index.exact import pair_scores

    distances = (1 - pair_scores(query_vectors, gold_vectors, query, gold)).astype(np.float32)
    rows: dict[str, dict] = {}
    for query_id, place, sentence_id, distance in zip(
        pairs["query_id"].to_pylist(), query, pairs["sentence_id"].to_pylist(), distances, strict=True
    ):
        if query_id not in rows:
            has_vector = bool(np.isfinite(query_vectors[place]).all())
            rows[query_id] = {"query_id": query_id, "has_vector": has_vector, "gold_ids": [], "distances": []}
        if sentence_id is not None and np.isfinite(distance):
            rows[query_id]["gold_ids"].append(sentence_id)
            rows[query_id]["distances"].append(float(distance))
    return list(rows.values())


def distinct_vectors(text_hashes: pa.ChunkedArray, read) -> tuple[np.ndarray, np.ndarray]:
    """Vectors of the distinct texts, and which of them each text has."""
    encoded = text_hashes.combine_chunks().dictionary_encode()
    return read(encoded.dictionary), encoded.indices.to_numpy()


def schema() -> pa.Schema:
    import pyarrow as pa

    return pa.schema(
        [
            ("suite", pa.string()),
            ("embedding_model", pa.string()),
            ("index_checksum", pa.string()),
            ("gold_version", pa.string()),
            ("query_id", pa.string()),
            ("has_vector", pa.bool_()),
            ("gold_ids", pa.list_(pa.string())),
            ("distances", pa.list_(pa.float32())),
        ]
    )
