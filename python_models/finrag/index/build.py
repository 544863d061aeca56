"""All indexes of the corpus: what the dbt model int_sentence_index calls."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import TYPE_CHECKING

from finrag.index.lance import IndexReport, SentenceIndex, sync

if TYPE_CHECKING:
    import pyarrow as pa


def sync_indexes(session, sentences, filings, embedded_texts, registry, lance_folder: str) -> pa.Table:
    """Sync the text index and the vector index of each model in use; one row per index.

    sentences, filings, embedded_texts, registry: relations of fct_sentences, dim_filings, int_embedded_texts and
    embedding_models.
    """
    from finrag.encoders.models import read_models
    from finrag.encoders.store import EmbeddingStore

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
