"""Files of vectors made elsewhere: Parquet of (sentence_id or text_hash, vector, optional role).

Each row that cannot be used is a row of staging.input_problems with the reason. Rules:

- A vector needs the registry's dimension, finite values and a length above zero. One that is not of unit length is
  normalised and counted.
- A key that occurs twice with the same vector counts once. With different ones, none is used: which is right?
- A text has one vector. Sentences of the same text are expected to agree; where they do not, the one with the lowest
  sentence_id is used and the others are rejected.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from finrag.encoders.models import DOCUMENT, QUERY, EmbeddingModel
from finrag.errors import FinragError
from finrag.inputs.files import shorten
from finrag.inputs.rows import named_once
from finrag.inputs.setting import Grammar
from finrag.project import command, registry_of
from finrag.settings import named

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

EXPECTED = "Expected Parquet with sentence_id or text_hash, vector (a list of numbers) and, optionally, role"
GRAMMAR = Grammar(
    "imported_vectors", "model_id=path pairs separated by spaces, globs allowed", "mine=vectors/*.parquet"
)

# Cosine from which two vectors count as the same one, computed twice.
AGREEMENT = 0.999
UNIT_TOLERANCE = 1e-3

REASONS = {
    "no_key": "sentence_id or text_hash is empty",
    "unknown_role": "role is neither document nor query",
    "no_vector": "vector is empty or holds an empty value",
    "wrong_dimension": "vector has another number of values than the registry's dimension",
    "not_finite": "vector holds NaN or infinity",
    "zero_norm": "all values of the vector are zero",
    "unknown_id": "the corpus has no such sentence_id or text_hash",
    "conflicting_duplicate": "the key occurs again with another vector; none of them is used",
    "conflicting_text": "another sentence of the same text has another vector, which is used",
    "missing": "the corpus has this text, and no usable vector was given for it",
}


@dataclass
class Rows:
    """Usable rows of the files: fields of shape (n,), vectors (n, dimension) in unit fp32; source_row counts from 1."""

    file: pa.Array
    source_row: np.ndarray
    key_column: pa.Array
    key: pa.Array
    role: pa.Array
    text_hash: pa.Array
    vectors: np.ndarray
    was_unit: np.ndarray

    def take(self, chosen: np.ndarray) -> Rows:
        import numpy as np
        import pyarrow as pa

        positions = np.flatnonzero(chosen) if chosen.dtype == bool else chosen
        index = pa.array(positions)
        return Rows(
            *(value.take(index) if isinstance(value, pa.Array) else value[positions] for value in vars(self).values())
        )


def rejected_schema() -> pa.Schema:
    """Columns of int_rejected_vectors."""
    import pyarrow as pa

    text = ["model_id", "file_path"], ["key_column", "key", "reason"]
    columns = [*[(name, pa.string()) for name in text[0]], ("source_row", pa.int64())]
    return pa.schema([*columns, *[(name, pa.string()) for name in text[1]]])


def files_by_model(pairs: str, models: Sequence[EmbeddingModel]) -> dict[str, list[str]]:
    """Files of the var imported_vectors by model_id."""
    in_use = {model.model_id: model for model in models}
    files: dict[str, list[str]] = {}
    for file in GRAMMAR.parse(pairs):
        if file.name not in in_use:
            raise FinragError(
                f"{GRAMMAR.option} names the model {file.name!r}, which is not in use. In use: {', '.join(in_use)}. "
                f"Add it to {named('embedding_models')}, and to {registry_of('embedding_models')} with the model_name "
                "imported if its vectors come from elsewhere only."
            )
        files.setdefault(file.name, []).append(file.path)
    for model in models:
        if model.is_imported and model.model_id not in files:
            raise FinragError(
                f"Embedding model {model.model_id} has imported vectors only, and none were given. Name their files: "
                f"`{command('build', vectors=f'{model.model_id}=path/*.parquet')}`. {EXPECTED}."
            )
    return files


def read_vectors(model: EmbeddingModel, files: Sequence[str], rejected: list[pa.Table]) -> Rows | None:
    """Rows of the files with a key, a role and a sound vector; the others go to rejected."""
    import numpy as np
    import pyarrow as pa

    parts: list[Rows] = []
    for path in files:
        try:
            parts += read_file(model, path, rejected)
        except (OSError, ValueError, pa.ArrowException) as error:
            raise FinragError(f"Imported vectors: {path} cannot be read ({error}). {EXPECTED}.") from error
    if not parts:
        return None
    fields = zip(*(vars(part).values() for part in parts), strict=True)
    return Rows(*(pa.concat_arrays(v) if isinstance(v[0], pa.Array) else np.concatenate(v) for v in fields))


def read_file(model: EmbeddingModel, path: str, rejected: list[pa.Table]) -> Iterator[Rows]:
    """Its sound rows, batch by batch."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    parquet = pq.ParquetFile(path)
    named_once(parquet.schema_arrow.names)
    key_column, has_role = _layout(path, parquet.schema_arrow)
    source_row = 1
    columns = [key_column, "vector", *(["role"] if has_role else [])]
    for batch in parquet.iter_batches(batch_size=65536, columns=columns):
        count = batch.num_rows
        keys = batch[key_column].cast(pa.string())
        roles = batch["role"].cast(pa.string()) if has_role else pa.repeat(DOCUMENT, count)
        lists = batch["vector"].cast(pa.large_list(pa.float32()), safe=False)
        numbers = np.arange(source_row, source_row + count)
        source_row += count
        vectors, norms, faults = examined(lists, model.dimension)
        sound = np.ones(count, bool)
        # the first fault of a row is the one that is reported
        for reason, is_faulty in (faults_of_names(keys, roles) | faults).items():
            chosen = pa.array(np.flatnonzero(is_faulty & sound))
            rejected.append(rejection(model, path, numbers[chosen], key_column, keys.take(chosen), reason))
            sound &= ~is_faulty
        with np.errstate(all="ignore"):
            unit = (vectors / norms[:, None]).astype(np.float32)
        files, key_columns = pa.repeat(str(path), count), pa.repeat(key_column, count)
        was_unit = np.abs(norms - 1) <= UNIT_TOLERANCE
        yield Rows(files, numbers, key_columns, keys, roles, keys, unit, was_unit).take(sound)


def faults_of_names(keys: pa.Array, roles: pa.Array) -> dict[str, np.ndarray]:
    """By reason, which rows say of no text or role that they are its vector."""
    import pyarrow as pa
    import pyarrow.compute as pc

    blank = pc.fill_null(pc.equal(pc.utf8_trim_whitespace(keys), ""), True)
    known_role = pc.fill_null(pc.is_in(roles, pa.array([DOCUMENT, QUERY])), False)
    return {
        "no_key": blank.to_numpy(zero_copy_only=False),
        "unknown_role": ~known_role.to_numpy(zero_copy_only=False),
    }


def examined(lists: pa.Array, dimension: int) -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]:
    """Vectors (n, dimension), nan where a list has another length; their lengths; and by reason which have a fault."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    lengths = pc.fill_null(pc.list_value_length(lists), 0).to_numpy(zero_copy_only=False)
    right = np.flatnonzero(lengths == dimension)
    values = lists.take(pa.array(right)).flatten()
    vectors = np.full((len(lists), dimension), np.nan, np.float32)
    vectors[right] = values.to_numpy(zero_copy_only=False).reshape(-1, dimension)
    holes = np.zeros((len(lists), dimension), bool)
    holes[right] = values.is_null().to_numpy(zero_copy_only=False).reshape(-1, dimension)
    norms = np.linalg.norm(vectors.astype(np.float64), axis=1)
    faults = {
        "no_vector": (lengths == 0) | holes.any(axis=1),
        "wrong_dimension": lengths != dimension,
        "not_finite": ~np.isfinite(norms),
        "zero_norm": norms < np.finfo(np.float32).tiny,
    }
    return vectors, norms, faults


def known_vectors(rows: Rows | None, mapping: pa.Table, model: EmbeddingModel, rejected: list[pa.Table]) -> Rows | None:
    """Rows of known texts, one per text and role; the others go to rejected."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    if rows is None:
        return None

    def reject(is_faulty: np.ndarray, reason: str) -> Rows:
        bad = rows.take(is_faulty)
        for (path, key_column), positions in _groups(bad.file, bad.key_column).items():
            chosen = bad.take(positions)
            rejected.append(rejection(model, path, chosen.source_row, key_column, chosen.key, reason))
        return rows.take(~is_faulty)

    by_sentence = pc.take(mapping["text_hash"], pc.index_in(rows.key, mapping["sentence_id"].combine_chunks()))
    by_text = pc.if_else(pc.is_in(rows.key, mapping["text_hash"].combine_chunks()), rows.key, None)
    is_sentence = pc.equal(rows.key_column, "sentence_id")
    rows.text_hash = pc.if_else(is_sentence, by_sentence, by_text)
    rows.text_hash = rows.text_hash.combine_chunks() if isinstance(rows.text_hash, pa.ChunkedArray) else rows.text_hash
    rows = reject(rows.text_hash.is_null().to_numpy(zero_copy_only=False), "unknown_id")

    codes, first = _first_of_each(rows.key_column, rows.key, rows.role)
    differs = (rows.vectors * rows.vectors[first[codes]]).sum(axis=1) < AGREEMENT
    conflicting = np.zeros(len(first), bool)
    conflicting[codes[differs]] = True
    keep = conflicting[codes] | (np.arange(len(codes)) == first[codes])  # equal repetitions leave no trace
    conflicting_rows = conflicting[codes][keep]
    rows = rows.take(keep)
    rows = reject(conflicting_rows, "conflicting_duplicate")

    # a vector given for the text itself goes before those given for its sentences, these by sentence_id
    order = pc.sort_indices(
        pa.table({"column": rows.key_column, "key": rows.key}),
        sort_keys=[("column", "descending"), ("key", "ascending")],
    ).to_numpy()
    rows = rows.take(order)
    codes, first = _first_of_each(rows.text_hash, rows.role)
    differs = (rows.vectors * rows.vectors[first[codes]]).sum(axis=1) < AGREEMENT
    keep = differs | (np.arange(len(codes)) == first[codes])
    rows = rows.take(keep)
    return reject(differs[keep], "conflicting_text")


def none_usable(model: EmbeddingModel, rejected: Sequence[pa.Table]) -> str:
    """What to say of files of which no row is a vector of the model: each of its figures would be 0."""
    first = next((table.slice(0, 1).to_pylist()[0] for table in rejected if table.num_rows), None)
    if first is None:
        return f"{GRAMMAR.option}: the files of {model.model_id} hold no rows. {EXPECTED}."
    count = sum(table.num_rows for table in rejected)
    return (
        f"{GRAMMAR.option}: none of the {count:,} rows of {model.model_id} (dimension {model.dimension}) can be used. "
        f"The first, row {first['source_row']} of {first['file_path']} with the {first['key_column']} "
        f"{shorten(first['key'] or 'none')!r}: {REASONS[first['reason']]}. `{command('export corpus')}` writes the "
        f"sentences with their ids. {EXPECTED}."
    )


def _layout(path: str, schema: pa.Schema) -> tuple[str, bool]:
    """Key column of a file, text_hash before sentence_id, and whether it has roles."""
    import pyarrow as pa

    key = next((name for name in ("text_hash", "sentence_id") if name in schema.names), None)
    kind = schema.field("vector").type if "vector" in schema.names else None
    is_list = kind is not None and (
        pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)
    )
    if key is None or not is_list:
        raise FinragError(f"Imported vectors: {path} has the columns {', '.join(schema.names)}. {EXPECTED}.")
    return key, "role" in schema.names


def _first_of_each(*columns: pa.Array) -> tuple[np.ndarray, np.ndarray]:
    """Code of each row's combination of values, and the first row of each code."""
    import numpy as np

    combined = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        encoded = column.dictionary_encode()
        combined = combined * (len(encoded.dictionary) + 1) + encoded.indices.to_numpy(zero_copy_only=False)
    _, first, codes = np.unique(combined, return_index=True, return_inverse=True)
    return codes, first


def _groups(*columns: pa.Array) -> dict[tuple, np.ndarray]:
    """Positions of the rows of each combination of values."""
    import numpy as np

    if not len(columns[0]):
        return {}
    codes, first = _first_of_each(*columns)
    return {
        tuple(column[int(row)].as_py() for column in columns): np.flatnonzero(codes == code)
        for code, row in enumerate(first)
    }


def rejection(
    model: EmbeddingModel,
    path: str | None,
    source_rows: np.ndarray | None,
    key_column: str,
    keys: pa.Array,
    reason: str,
) -> pa.Table:
    import pyarrow as pa

    count = len(keys)
    numbers = pa.nulls(count, pa.int64()) if source_rows is None else pa.array(source_rows, pa.int64())
    file = pa.repeat(pa.scalar(None if path is None else str(path), pa.string()), count)
    columns = [
        pa.repeat(model.model_id, count),
        file,
        numbers,
        pa.repeat(key_column, count),
        keys,
        pa.repeat(reason, count),
    ]
    return pa.table(columns, schema=rejected_schema())
