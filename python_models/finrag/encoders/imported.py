"""Vectors made elsewhere in the store of a model: those of the files (finrag.inputs.vectors), and no others.

Given for a model that is also computed here, a vector stands in for ours, provided that a sample agrees with it. A text
that a model of imported vectors only is left without is a row of staging.input_problems.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from finrag.encoders.models import DOCUMENT, QUERY
from finrag.encoders.store import IMPORTED, EmbeddingStore
from finrag.errors import FinragError
from finrag.inputs.vectors import (
    AGREEMENT,
    Rows,
    known_vectors,
    none_usable,
    read_vectors,
    rejected_schema,
    rejection,
)
from finrag.lance_folder import sidecar
from finrag.project import registry_of
from finrag.versions import code_version
from finrag.whole import write_whole

if TYPE_CHECKING:
    import pyarrow as pa

SAMPLE_TEXTS = 16


@dataclass(frozen=True)
class ImportResult:
    """rejected_count: rejected vectors, without the missing texts; normalised_count: used vectors that were not
    of unit length."""

    rejected_count: int = 0
    normalised_count: int = 0


def import_vectors(store: EmbeddingStore, sentences, files: Sequence[str]) -> ImportResult:
    """Make the store's imported vectors those of the files, for the texts of the corpus; cheap when nothing changed.

    sentences: relation of fct_sentences. An empty corpus (`dbt build --empty`) changes nothing.
    """
    state_file = sidecar(store.path, "imported.json")
    if not files and not state_file.is_file():
        return ImportResult()
    corpus = sentences.aggregate("count(*), bit_xor(hash(sentence_id, text_hash))::varchar").fetchall()[0]
    if not corpus[0]:
        return ImportResult()
    stamps = [(path, os.stat(path).st_size, os.stat(path).st_mtime_ns) for path in files]
    state = json.loads(json.dumps({"rules": code_version(read_vectors.__module__), "files": stamps, "corpus": corpus}))
    if state_file.is_file():
        known = json.loads(state_file.read_text(encoding="utf-8"))
        if known["state"] == state:
            return ImportResult(**known["result"])
        state_file.unlink()  # first: a build that is killed from here on reads the files again
    result = _replace_imported(store, sentences, files)
    if files:
        write_whole(state_file, json.dumps({"state": state, "result": asdict(result)}))
    return result


def _replace_imported(store: EmbeddingStore, sentences, files: Sequence[str]) -> ImportResult:
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    mapping = sentences.project("sentence_id, text_hash").order("sentence_id").to_arrow_table()
    hashes = mapping["text_hash"].combine_chunks()
    rejected: list[pa.Table] = []
    rows = known_vectors(read_vectors(store.model, files, rejected), mapping, store.model, rejected)
    if files and (rows is None or not len(rows.vectors)):
        raise FinragError(none_usable(store.model, rejected))
    if rows is not None and not store.model.is_imported:
        _check_sample(store, sentences, rows)
    store.delete(f"precision = '{IMPORTED}'")
    if rows is not None and len(rows.vectors):
        for role in (DOCUMENT, QUERY):
            chosen = rows.take(np.array(rows.role.to_pylist()) == role)
            given = chosen.text_hash.to_pylist()
            for start in range(0, len(given), 10_000):
                some = given[start : start + 10_000]
                if not store.model.is_imported:
                    store.delete(f"role = '{role}' and text_hash in ({', '.join(map(repr, some))})")
                store.append(store.batch(some, role, chosen.vectors[start : start + 10_000], IMPORTED))
    rejected_count = sum(table.num_rows for table in rejected)
    if store.model.is_imported:
        missing = pa.array(store.missing(hashes), pa.string())
        rejected.append(rejection(store.model, None, None, "text_hash", missing, "missing"))
    report = sidecar(store.path, "rejected.parquet")
    if files:
        report.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.concat_tables([rejected_schema().empty_table(), *rejected]), report)
    else:
        report.unlink(missing_ok=True)
    return ImportResult(rejected_count, 0 if rows is None else int((~rows.was_unit).sum()))


def _check_sample(store: EmbeddingStore, sentences, rows: Rows) -> None:
    """Refuse vectors that a model in the registry did not make, by computing a few of them here."""
    import duckdb
    import numpy as np

    from finrag.encoders.encoder import load_encoder

    for role in (DOCUMENT, QUERY):
        chosen = rows.take(np.array(rows.role.to_pylist()) == role)
        step = max(1, len(chosen.vectors) // SAMPLE_TEXTS)
        sample = chosen.take(np.arange(len(chosen.vectors))[::step][:SAMPLE_TEXTS])
        if not len(sample.vectors):
            continue
        wanted = duckdb.ColumnExpression("text_hash").isin(
            *map(duckdb.ConstantExpression, sample.text_hash.to_pylist())
        )
        found = sentences.filter(wanted).aggregate("text_hash, arg_min(sentence_text, sentence_id)").fetchall()
        texts = dict(found)
        for batch in load_encoder(store.model).encode([texts[key] for key in sample.text_hash.to_pylist()], role):
            cosine = (batch.vectors * sample.vectors[batch.positions]).sum(axis=1).min()
            if cosine < AGREEMENT:
                raise FinragError(
                    f"Imported vectors: {role} vectors given for {store.model.model_id} differ from those of the model "
                    f"(cosine {cosine:.4f} on a sample; {AGREEMENT} is needed). Check revision, prefixes "
                    f"and pooling; or give them a row of their own in {registry_of('embedding_models')} with the "
                    f"model_name imported."
                )
