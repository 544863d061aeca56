"""What the dbt models in python_models/retrieval call: vectors for every text of the corpus, and what they became."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from finrag.encoders import imported
from finrag.encoders.models import DOCUMENT, QUERY, EmbeddingModel, chosen_models, read_models
from finrag.encoders.parts import embed_in_parts
from finrag.encoders.store import EmbeddingStore
from finrag.inputs.vectors import REASONS, files_by_model, rejected_schema
from finrag.keys import hashed
from finrag.lance_folder import sidecar
from finrag.tables import literal

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

# Texts held and put in order of length at a time.
SLICE_TEXTS = 262_144

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
    hashes = distinct_hashes(sentences)
    rows = [_embed(session, model, hashes, sentences, files.get(model.model_id, []), lance) for model in models]
    return pa.Table.from_pylist(
        rows, schema=pa.schema([(name, getattr(pa, kind)()) for name, kind in MANIFEST.items()])
    )


def distinct_hashes(sentences) -> pa.ChunkedArray:
    """text_hash of every text, sorted, each once."""
    return sentences.project("text_hash").distinct().order("text_hash").to_arrow_table()["text_hash"]


def _embed(
    session, model: EmbeddingModel, hashes: pa.ChunkedArray, sentences, files: Sequence[Path], lance: str
) -> dict[str, object]:
    """The manifest row of one model, once its store has every vector it can have."""
    import numpy as np

    store = EmbeddingStore.open(lance, model)
    result = imported.import_vectors(store, sentences, files)
    keys = hashed(hashes)
    computed = 0 if model.is_imported else embed_missing(session, store, hashes, sentences)
    store.compact()
    rows = store.rows(keys)
    embedded = rows[rows >= 0]
    is_used = np.zeros(int(rows.max(initial=-1)) + 1, bool)
    is_used[embedded] = True
    precisions: set[str] = set()
    truncated = 0
    for at, batch in store.batches("precision", "is_truncated"):
        used = np.flatnonzero(is_used[at : at + batch.num_rows])
        precisions |= set(batch["precision"].take(used).unique().to_pylist())
        truncated += batch["is_truncated"].take(used).true_count
    return {
        "model_id": model.model_id,
        "fingerprint": model.fingerprint,
        "model_name": model.model_name,
        "revision": model.revision,
        "dimension": model.dimension,
        "precision": "mixed" if len(precisions) > 1 else next(iter(precisions), None),
        "store_path": store.path,
        "text_count": len(keys),
        "embedded_count": len(embedded),
        "computed_count": computed,
        "missing_count": len(keys) - len(embedded),
        "truncated_count": truncated,
        "rejected_count": result.rejected_count,
        "normalised_count": result.normalised_count,
        # Query vectors of a model that computes them follow from the texts and the fingerprint, and come later.
        "checksum": store.checksum(keys, (DOCUMENT, QUERY) if model.is_imported else (DOCUMENT,)),
    }


def embed_missing(session, store: EmbeddingStore, hashes: pa.ChunkedArray, sentences) -> int:
    """Compute the vectors of the texts that the store does not have as documents; returns how many.

    session: DuckDB connection. hashes: text_hash of all texts, sorted, each once. sentences: relation of sentence_id,
    sentence_text and text_hash.
    """
    import numpy as np

    missing = np.flatnonzero(store.rows(hashed(hashes)) < 0)
    if not len(missing):
        return 0

    from finrag.encoders.encoder import SAMPLE_TEXTS

    # the job's sample is of all its texts, so that no part has another precision than the others
    step = max(1, len(missing) // SAMPLE_TEXTS)
    sample = [hashes[place].as_py() for place in missing[::step][:SAMPLE_TEXTS].tolist()]
    sampled = dict(_texts(sentences, f"text_hash in ({', '.join(map(literal, sample))})"))
    if len(missing) > SLICE_TEXTS:
        sentences = in_order(session, sentences, hashes, missing)
    slices = (
        missing_texts(hashes, missing[start : start + SLICE_TEXTS], sentences)
        for start in range(0, len(missing), SLICE_TEXTS)
    )
    computed = embed_in_parts(store, DOCUMENT, [sampled[key] for key in sample], len(missing), slices)
    session.execute("drop table if exists sentences_to_embed")
    return computed


def in_order(session, sentences, hashes: pa.ChunkedArray, missing: np.ndarray):
    """The sentences of missing texts by text_hash, in a temporary table, which DuckDB spills to disk.

    A slice of the texts is then read from its place; in the sentences as they lie, each slice would read all of them.
    missing: places in hashes.
    """
    import numpy as np
    import pyarrow as pa

    is_missing = np.zeros(len(hashes), bool)
    is_missing[missing] = True
    session.register("missing_hashes", pa.table({"text_hash": hashes.filter(pa.array(is_missing))}))
    session.execute(
        f"""
        create or replace temp table sentences_to_embed as
        select sentences.text_hash, sentences.sentence_id, sentences.sentence_text
        from ({sentences.sql_query()}) as sentences
        semi join missing_hashes using (text_hash)
        order by sentences.text_hash
        """
    )
    session.unregister("missing_hashes")
    return session.table("sentences_to_embed")


def missing_texts(hashes: pa.ChunkedArray, places: np.ndarray, sentences) -> list[tuple[str, str]]:
    """text_hash and text of those at the places, which ascend; those between them have a vector."""
    first, last = (literal(hashes[int(place)].as_py()) for place in (places[0], places[-1]))
    found = _texts(sentences, f"text_hash between {first} and {last}")
    wanted = set(hashed(hashes.slice(places[0], places[-1] - places[0] + 1))[places - places[0]].tolist())
    names = hashed([key for key, _ in found]).tolist()
    return [pair for pair, name in zip(found, names, strict=True) if name in wanted]


def _texts(sentences, condition: str) -> list[tuple[str, str]]:
    """text_hash and text. Sentences of one text may differ in case and spacing: the first one stands for all."""
    return (
        sentences.filter(condition)
        .aggregate("text_hash, arg_min(sentence_text, sentence_id) as text", "text_hash")
        .order("text_hash")
        .fetchall()
    )


def embed_texts(store: EmbeddingStore, text_hashes: Sequence[str], texts: Sequence[str], role: str = DOCUMENT) -> int:
    """Compute and append the vectors that the store does not have yet; returns how many.

    text_hashes and texts go together, row by row. Loads the model only when there is something to compute.
    """
    given = {}
    for key, text in zip(text_hashes, texts, strict=True):
        given.setdefault(str(key), str(text))
    pairs = sorted((key, given[key]) for key in store.missing(list(given), role))
    if not pairs:
        return 0

    return embed_in_parts(store, role, [text for _, text in pairs], len(pairs), [pairs])


def embed_queries(
    store: EmbeddingStore,
    model: EmbeddingModel,
    text_hashes: pa.ChunkedArray | Sequence[str],
    texts: pa.ChunkedArray | Sequence[str],
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

    paths = [sidecar(path, "rejected.parquet") for (path,) in manifest.project("store_path").fetchall()]
    existing = [str(path) for path in paths if path.is_file()]
    nothing = session.from_arrow(rejected_schema().empty_table())
    rejected = session.read_parquet(existing, hive_partitioning=False) if existing else nothing
    details = session.from_arrow(pa.table({"reason": list(REASONS), "detail": list(REASONS.values())}))
    return rejected.join(details, "reason")


def truncated_texts(manifest, registry, lance: str) -> pa.Table:
    """model_id, text_hash, token_count and max_tokens of every document that a model of the manifest cut."""
    import pyarrow as pa

    models = read_models(registry)
    kinds = {"model_id": pa.string(), "text_hash": pa.string(), "token_count": pa.int32(), "max_tokens": pa.int32()}
    tables = [pa.schema(kinds).empty_table()]
    for (model_id,) in manifest.project("model_id").fetchall():
        dataset = EmbeddingStore.open(lance, models[model_id]).dataset()
        if dataset is not None:
            cut = dataset.to_table(columns=list(kinds)[1:], filter=f"role = '{DOCUMENT}' and is_truncated")
            tables.append(cut.append_column("model_id", pa.repeat(model_id, cut.num_rows)).select(list(kinds)))
    return pa.concat_tables(tables)
