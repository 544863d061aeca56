"""What the dbt models of this stage call: all indexes of the corpus, and their recall."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import TYPE_CHECKING

from finrag.retrieval.index import IndexReport, SentenceIndex, sync

if TYPE_CHECKING:
    import pyarrow as pa


def sync_indexes(session, sentences, filings, embedded_texts, registry, lance_folder: str) -> pa.Table:
    """Sync the text index and the vector index of each model in use; one row per index.

    sentences, filings, embedded_texts, registry: relations of fct_sentences, dim_filings, int_embedded_texts and
    embedding_models.
    """
    from finrag.embedding.models import read_models
    from finrag.embedding.store import EmbeddingStore

    reports = [sync(session, sentences, filings, SentenceIndex.of_text(lance_folder))]
    models = read_models(registry)
    in_use = embedded_texts.project("model_id, fingerprint, dimension, checksum").order("model_id").fetchall()
    for model_id, fingerprint, dimension, source in in_use:
        store = EmbeddingStore.open(lance_folder, models[model_id])
        reports.append(
            sync(
                session,
                sentences,
                filings,
                SentenceIndex.of_vectors(lance_folder, model_id, fingerprint, dimension),
                vectors=lambda text_hashes, store=store: store.vectors(text_hashes, missing="nan"),
                source=source,
            )
        )
    return report_table(reports)


def report_table(reports: list[IndexReport]) -> pa.Table:
    import pyarrow as pa

    counts = ("row_count", "fragment_count", "added_count", "deleted_count", "left_out_count")
    schema = pa.schema(
        [(field.name, pa.int64() if field.name in counts else pa.string()) for field in fields(IndexReport)]
    )
    return pa.Table.from_pylist([asdict(report) for report in reports], schema)


def measure_recall(indexes, regimes, chosen: str, lance_folder: str, known=None) -> pa.Table:
    """Recall of each vector index in each chosen regime.

    indexes, regimes: relations of int_sentence_index and retrieval_regimes. chosen: the var retrieval_regimes. known:
    relation of what was measured before; an index that has not changed since is not measured again.
    """
    import pyarrow as pa

    from finrag.retrieval import ann
    from finrag.retrieval.dense import IndexedVectors
    from finrag.retrieval.regimes import chosen_regimes

    columns_of = chosen_regimes(regimes, chosen)
    identity = ("model_id", "index_checksum", "index_type", "index_parameters")
    # measurements of earlier versions counted the query among its own answers, or took queries for independent
    measured = (
        set()
        if known is None or "n_clusters" not in known.columns
        else set(known.filter("n_clusters > 0").project(", ".join((*identity, "regime", "filter_columns"))).fetchall())
    )
    vector_indexes = indexes.filter("index_kind = 'vector' and row_count > 0").order("model_id")
    rows = []
    for *values, fingerprint in vector_indexes.project(
        "model_id, checksum, index_type, index_parameters, fingerprint"
    ).fetchall():
        wanted = {
            regime: columns
            for regime, columns in columns_of.items()
            if (*values, regime, " ".join(columns)) not in measured
        }
        if wanted:
            index = SentenceIndex.of_existing_vectors(lance_folder, values[0], fingerprint)
            rows += [
                dict(zip(identity, values, strict=True))
                | asdict(each)
                | {"filter_columns": " ".join(wanted[each.regime])}
                for each in ann.recall(IndexedVectors(index), wanted)
            ]
    return pa.Table.from_pylist(rows, recall_schema())


def recall_schema() -> pa.Schema:
    import pyarrow as pa

    return pa.schema(
        [
            ("model_id", pa.string()),
            ("index_checksum", pa.string()),
            ("index_type", pa.string()),
            ("index_parameters", pa.string()),
            ("regime", pa.string()),
            ("filter_columns", pa.string()),
            ("k", pa.int32()),
            ("recall", pa.float64()),
            ("ci_low", pa.float64()),
            ("ci_high", pa.float64()),
            ("n_queries", pa.int64()),
            ("n_clusters", pa.int64()),
            ("queries_per_second", pa.float64()),
        ]
    )
