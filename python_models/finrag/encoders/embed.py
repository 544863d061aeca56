"""What the dbt models in python_models/retrieval call: vectors for every text of the corpus, and what they became."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from finrag.encoders import imported
from finrag.encoders.models import DOCUMENT, QUERY, EmbeddingModel, chosen_models, read_models
from finrag.encoders.store import EmbeddingStore
from finrag.inputs.vectors import REASONS, files_by_model, rejected_schema

if TYPE_CHECKING:
    import pyarrow as pa

# Vectors are appended after so many texts or seconds, whichever is first: what a killed build loses at most.
FLUSH_TEXTS = 1024
FLUSH_SECONDS = 20.0

MANIFEST = {
    "model_id": "string",
    "fingerprint": "string",
    "model_name": "string",
    "revision": "string",
    "dimension": "int32",
    "precision": "string",
    "store_path": "string",
    "text_count": "int64",
    "embedded_count": "int64",
    "computed_count": "int64",
    "missing_count": "int64",
    "truncated_count": "int64",
    "rejected_count": "int64",
    "normalised_count": "int64",
    "checksum": "string",
}


def embed_corpus(session, sentences, registry, names: str, vectors: str, lance: str) -> pa.Table:
    """Embed every distinct text of the corpus with every model in use; one row per model, columns of MANIFEST.

    session: DuckDB connection of the model; sentences, registry: relations of fct_sentences and embedding_models;
    names, vectors: the vars embedding_models and imported_vectors; lance: the folder FINRAG_LANCE.
    """
    import pyarrow as pa

    models = chosen_models(registry, names)
    files = files_by_model(vectors, models)
    hashes = sentences.project("text_hash").distinct().order("text_hash").to_arrow_table()["text_hash"].combine_chunks()
    rows = [_embed(model, hashes, sentences, files.get(model.model_id, []), lance) for model in models]
    return pa.Table.from_pylist(
        rows, schema=pa.schema([(name, getattr(pa, kind)()) for name, kind in MANIFEST.items()])
    )


def _embed(model: EmbeddingModel, hashes: pa.Array, sentences, files: Sequence[Path], lance: str) -> dict[str, object]:
    """The manifest row of one model, once its store has every vector it can have."""
    import pyarrow as pa
    import pyarrow.compute as pc

    store = EmbeddingStore.open(lance, model)
    result = imported.import_vectors(store, sentences, files)
    computed = 0
    if not model.is_imported and store.missing(hashes):
        # sentences of one text may differ in case and spacing: the first one stands for all
        texts = sentences.aggregate("text_hash, arg_min(sentence_text, sentence_id) as text").to_arrow_table()
        computed = embed_texts(store, texts["text_hash"], texts["text"])
    store.compact()
    rows = store.rows(hashes)
    used = store.keys().take(pa.array(rows[rows >= 0]))
    precisions = used["precision"].unique().to_pylist()
    return {
        "model_id": model.model_id,
        "fingerprint": model.fingerprint,
        "model_name": model.model_name,
        "revision": model.revision,
        "dimension": model.dimension,
        "precision": "mixed" if len(precisions) > 1 else next(iter(precisions), None),
        "store_path": str(store.path),
        "text_count": len(hashes),
        "embedded_count": used.num_rows,
        "computed_count": computed,
        "missing_count": len(hashes) - used.num_rows,
        "truncated_count": pc.sum(used["is_truncated"]).as_py() or 0,
        "rejected_count": result.rejected_count,
        "normalised_count": result.normalised_count,
        # Query vectors of a model that computes them follow from the texts and the fingerprint, and come later.
        "checksum": store.checksum(hashes, (DOCUMENT, QUERY) if model.is_imported else (DOCUMENT,)),
    }


def embed_texts(
    store: EmbeddingStore, text_hashes: Sequence[str] | pa.Array, texts: Sequence[str] | pa.Array, role: str = DOCUMENT
) -> int:
    """Compute and append the vectors that the store does not have yet; returns how many.

    text_hashes and texts go together, row by row. Loads the model only when there is something to compute.
    """
    import numpy as np
    import pyarrow as pa

    schema = pa.schema([("text_hash", pa.string()), ("text", pa.string())])
    table = pa.table({"text_hash": text_hashes, "text": texts}, schema=schema)
    table = table.filter(pa.array(store.rows(table["text_hash"], role) < 0))
    table = table.take(pa.array(np.unique(table["text_hash"].to_numpy(zero_copy_only=False), return_index=True)[1]))
    if not table.num_rows:
        return 0

    from finrag.encoders.encoder import load_encoder
    from finrag.progress import progress

    missing, words = table["text_hash"].to_pylist(), table["text"].to_pylist()
    done = 0
    pending: list[pa.Table] = []
    flushed = time.monotonic()
    with progress(f"Embedding {store.model.model_id}", len(missing), "text") as texts_done:
        encoder = load_encoder(store.model)
        for batch in encoder.encode(words, role):
            hashes_of_batch = [missing[position] for position in batch.positions]
            pending.append(
                store.batch(
                    hashes_of_batch, role, batch.vectors, encoder.precision, batch.token_counts, encoder.max_tokens
                )
            )
            texts_done.update(len(hashes_of_batch))
            waiting = sum(rows.num_rows for rows in pending)
            if waiting >= FLUSH_TEXTS or time.monotonic() - flushed >= FLUSH_SECONDS:
                store.append(pa.concat_tables(pending))
                done += waiting
                pending, flushed = [], time.monotonic()
    if pending:
        store.append(pa.concat_tables(pending))
        done += sum(rows.num_rows for rows in pending)
    return done


def embed_queries(
    store: EmbeddingStore,
    model: EmbeddingModel,
    text_hashes: Sequence[str] | pa.Array,
    texts: Sequence[str] | pa.Array,
) -> int:
    """Compute the query vectors that `store.query_vectors` will be asked for and are missing; returns how many.

    Where queries and documents have the same prefix, a query takes the document's vector, and only texts that are not
    in the corpus are computed. A model with imported vectors only computes nothing: what it lacks stays missing.
    """
    return 0 if model.is_imported else embed_texts(store, text_hashes, texts, store.query_role())


def rejected_vectors(session, manifest):
    """Vectors that were not used, and texts without one, with the reason and its detail.

    manifest: the relation of int_embedded_texts.
    """
    import pyarrow as pa

    paths = [Path(path).with_suffix(".rejected.parquet") for (path,) in manifest.project("store_path").fetchall()]
    existing = [str(path) for path in paths if path.is_file()]
    rejected = session.read_parquet(existing) if existing else session.from_arrow(rejected_schema().empty_table())
    details = session.from_arrow(pa.table({"reason": list(REASONS), "detail": list(REASONS.values())}))
    return rejected.join(details, "reason")


def truncated_texts(manifest, registry, lance: str) -> pa.Table:
    """model_id, text_hash, token_count and max_tokens of every document that a model of the manifest cut."""
    import pyarrow as pa
    import pyarrow.compute as pc

    models = read_models(registry)
    kinds = {"model_id": pa.string(), "text_hash": pa.string(), "token_count": pa.int32(), "max_tokens": pa.int32()}
    tables = [pa.schema(kinds).empty_table()]
    for (model_id,) in manifest.project("model_id").fetchall():
        keys = EmbeddingStore.open(lance, models[model_id]).keys()
        cut = keys.filter(pc.and_(pc.equal(keys["role"], DOCUMENT), keys["is_truncated"]))
        tables.append(cut.append_column("model_id", pa.repeat(model_id, cut.num_rows)).select(list(kinds)))
    return pa.concat_tables(tables)
