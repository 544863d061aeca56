"""The vectors of one model in a Lance dataset: one per distinct text and role.

A dataset belongs to one fingerprint, which is part of its path, so vectors of two models, revisions or dimensions are
never in one table. Appends are atomic: a process killed in the middle leaves whole batches or nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from finrag.encoders.models import DOCUMENT, QUERY, EmbeddingModel
from finrag.errors import FinragError

if TYPE_CHECKING:
    import lance
    import numpy as np
    import pyarrow as pa

IMPORTED = "imported"

# Compaction leaves fragments of this many rows; more than a few are not opened one by one anyway.
FRAGMENT_ROWS = 1024 * 1024
# Above this share of the table it is faster to read the column than to take rows.
FULL_READ_SHARE = 0.2


class EmbeddingStore:
    """Vectors of one model, L2-normalised fp32.

    Columns: text_hash, role ('document' or 'query'), vector (fixed_size_list<float32>[dimension]), token_count and
    max_tokens (int32, null for imported vectors), is_truncated, precision ('fp32', 'bf16' or 'imported').
    """

    def __init__(self, path: Path, model: EmbeddingModel) -> None:
        self.path = path
        self.model = model
        self._dataset: lance.LanceDataset | None = None
        self._keys: tuple[int, pa.Table] | None = None

    @classmethod
    def open(cls, folder: Path | str, model: EmbeddingModel) -> EmbeddingStore:
        """The model's store under the folder FINRAG_LANCE; nothing is written before the first append."""
        store = cls(Path(folder) / "embeddings" / f"{model.table_name}.lance", model)
        dataset = store.dataset()
        if dataset is not None and dataset.schema.field("vector").type.list_size != model.dimension:
            raise FinragError(
                f"{store.path} holds vectors of {dataset.schema.field('vector').type.list_size} dimensions, "
                f"{model.model_id} has {model.dimension}. Remove that folder and build again."
            )
        return store

    def sidecar(self, ending: str) -> Path:
        """A file beside the dataset, such as `<model>__<fingerprint>.rejected.parquet`."""
        return self.path.with_name(f"{self.model.table_name}.{ending}")

    @property
    def schema(self) -> pa.Schema:
        import pyarrow as pa

        return pa.schema(
            [
                ("text_hash", pa.string()),
                ("role", pa.string()),
                ("vector", pa.list_(pa.float32(), self.model.dimension)),
                ("token_count", pa.int32()),
                ("max_tokens", pa.int32()),
                ("is_truncated", pa.bool_()),
                ("precision", pa.string()),
            ]
        )

    def dataset(self) -> lance.LanceDataset | None:
        """The Lance dataset as it is now; None before the first append."""
        if self._dataset is None and self.path.is_dir():
            import lance

            self._dataset = lance.dataset(str(self.path))
        return self._dataset

    def append(self, batch: pa.Table) -> None:
        """Add rows of the store's schema, in one atomic step."""
        import lance

        if batch.num_rows:
            self._dataset = lance.write_dataset(
                batch.cast(self.schema), str(self.path), mode="create" if self.dataset() is None else "append"
            )

    def batch(
        self,
        text_hashes: Sequence[str],
        role: str,
        vectors: np.ndarray,
        precision: str,
        token_counts: Sequence[int] | None = None,
        max_tokens: int | None = None,
    ) -> pa.Table:
        """Rows for `append`. vectors: (n, dimension), L2-normalised fp32; token_counts: of the text with its prefix."""
        import numpy as np
        import pyarrow as pa

        count = len(text_hashes)
        flat = pa.array(np.ascontiguousarray(vectors, dtype=np.float32).reshape(-1))
        tokens = pa.nulls(count, pa.int32()) if token_counts is None else pa.array(token_counts, pa.int32())
        is_truncated = [False] * count if token_counts is None else [n > max_tokens for n in token_counts]
        return pa.table(
            {
                "text_hash": pa.array(text_hashes, pa.string()),
                "role": pa.repeat(role, count),
                "vector": pa.FixedSizeListArray.from_arrays(flat, self.model.dimension),
                "token_count": tokens,
                "max_tokens": pa.repeat(pa.scalar(max_tokens, pa.int32()), count),
                "is_truncated": pa.array(is_truncated, pa.bool_()),
                "precision": pa.repeat(precision, count),
            },
            schema=self.schema,
        )

    def delete(self, condition: str) -> None:
        """Remove the rows that an SQL condition over the store's columns selects."""
        dataset = self.dataset()
        if dataset is not None:
            dataset.delete(condition)
            self._dataset = None

    def keys(self) -> pa.Table:
        """Every column but the vectors, of every row, in the order of the table."""
        import pyarrow as pa

        columns = [name for name in self.schema.names if name != "vector"]
        dataset = self.dataset()
        if dataset is None:
            return pa.schema([self.schema.field(name) for name in columns]).empty_table()
        if self._keys is None or self._keys[0] != dataset.version:
            self._keys = (dataset.version, dataset.to_table(columns=columns))
        return self._keys[1]

    def rows(self, text_hashes: Sequence[str] | pa.Array, role: str = DOCUMENT) -> np.ndarray:
        """Position in the table of each text's row with that role, -1 where there is none; int64, shape (n,)."""
        import numpy as np
        import pyarrow as pa
        import pyarrow.compute as pc

        keys = self.keys()
        positions = np.flatnonzero(pc.equal(keys["role"], role).to_numpy())
        stored = keys["text_hash"].combine_chunks().take(pa.array(positions))
        found = pc.index_in(_strings(text_hashes), value_set=stored)
        indexes = pc.fill_null(found, -1).to_numpy(zero_copy_only=False)
        return np.where(indexes >= 0, positions[indexes] if len(positions) else -1, -1).astype(np.int64)

    def missing(self, text_hashes: Sequence[str] | pa.Array, role: str = DOCUMENT) -> list[str]:
        """Texts without a vector in that role, each once, in the order asked."""
        import pyarrow as pa

        hashes = _strings(text_hashes)
        return hashes.filter(pa.array(self.rows(hashes, role) < 0)).unique().to_pylist()

    def vectors(
        self, text_hashes: Sequence[str] | pa.Array, role: str = DOCUMENT, missing: str = "raise"
    ) -> np.ndarray:
        """Vectors in the order asked, fp32, shape (n, dimension).

        missing: what to do with texts that have none, 'raise' a FinragError or give rows of 'nan'.
        """
        rows = self.rows(text_hashes, role)
        if missing == "raise" and (rows < 0).any():
            first = _strings(text_hashes)[int((rows < 0).argmax())].as_py()
            raise FinragError(
                f"Model {self.model.model_id}: {(rows < 0).sum():,} of {len(rows):,} texts have no {role} "
                f"vector, the first is text_hash {first}. Run `dbt build --select int_embedded_texts`; "
                f"imported vectors that could not be used are in staging.input_problems."
            )
        return self._take(rows)

    def query_role(self) -> str:
        """Role of the vectors that queries are asked with: their own only where they differ from the documents'."""
        import pyarrow.compute as pc

        if self.model.is_imported:
            return QUERY if pc.any(pc.equal(self.keys()["role"], QUERY)).as_py() else DOCUMENT
        return QUERY if self.model.is_asymmetric else DOCUMENT

    def query_vectors(self, text_hashes: Sequence[str] | pa.Array, missing: str = "raise") -> np.ndarray:
        """As `vectors`, of the texts as queries; `embed_queries` computes those that are missing."""
        return self.vectors(text_hashes, self.query_role(), missing)

    def checksum(self, text_hashes: Sequence[str] | pa.Array, roles: Sequence[str] = (DOCUMENT,)) -> str:
        """Checksum of the vectors of these texts, whatever the order of texts or rows; 16 hex digits.

        It changes when a value of a vector changes and when two texts swap their vectors. Texts without a vector do not
        count, nor does a text's repetition.
        """
        import json

        unique = _strings(text_hashes).unique().sort()
        key = self._checksum_key(unique, roles)
        cache = self.sidecar("checksum.json")
        known = json.loads(cache.read_text(encoding="utf-8")) if cache.is_file() else {}
        if known.get("key") == key:
            return known["checksum"]
        total = 0
        for role in roles:
            rows = self.rows(unique, role)
            present = (rows >= 0).nonzero()[0]
            total += int(row_checksums(unique.take(present), self._take(rows[present]), role).sum(dtype="uint64"))
        checksum = f"{total % 2**64:016x}"
        if self.path.is_dir():
            temporary = cache.with_suffix(".tmp")  # a reader in another thread never sees half a file
            temporary.write_text(json.dumps({"key": key, "checksum": checksum}), encoding="utf-8")
            temporary.replace(cache)
        return checksum

    def _checksum_key(self, texts: pa.Array, roles: Sequence[str]) -> str:
        """Names the state of the table and the texts, so that an unchanged build need not read the vectors."""
        dataset = self.dataset()
        state = "" if dataset is None else f"{dataset.version} {dataset.versions()[-1]['timestamp'].timestamp()}"
        digest = hashlib.sha256(f"{state} {' '.join(roles)} ".encode())
        digest.update("\n".join(texts.to_pylist()).encode())
        return digest.hexdigest()

    def compact(self) -> None:
        """Join the fragments that appends left, and drop versions of the table that nothing needs any more."""
        from datetime import timedelta

        dataset = self.dataset()
        if dataset is not None and len(dataset.get_fragments()) > 1:
            dataset.optimize.compact_files(target_rows_per_fragment=FRAGMENT_ROWS)
            dataset.cleanup_old_versions(older_than=timedelta(0))
            self._dataset = None

    def _take(self, rows: np.ndarray) -> np.ndarray:
        """Vectors at positions of the table, NaN for negative ones."""
        import numpy as np

        result = np.full((len(rows), self.model.dimension), np.nan, np.float32)
        present = np.flatnonzero(rows >= 0)
        dataset = self.dataset()
        if dataset is None or not len(present):
            return result
        wanted = rows[present]
        total = dataset.count_rows()
        if len(wanted) < FULL_READ_SHARE * total:
            result[present] = self._matrix(dataset.take(wanted, columns=["vector"]))
        else:
            at = 0
            target = np.full(total, -1, np.int64)
            distinct, inverse = np.unique(wanted, return_inverse=True)
            target[distinct] = np.arange(len(distinct))
            vectors = np.empty((len(distinct), self.model.dimension), np.float32)
            for batch in dataset.to_batches(columns=["vector"], batch_size=65536):
                places = target[at : at + batch.num_rows]
                vectors[places[places >= 0]] = self._matrix(batch)[places >= 0]
                at += batch.num_rows
            result[present] = vectors[inverse]
        return result

    def _matrix(self, table: pa.Table | pa.RecordBatch) -> np.ndarray:
        import pyarrow as pa

        column = table["vector"]
        array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
        return array.flatten().to_numpy().reshape(-1, self.model.dimension)


def row_checksums(keys: pa.Array, vectors: np.ndarray, role: str = DOCUMENT) -> np.ndarray:
    """64-bit checksum of each row, of its key and the bits of its vector; uint64, shape (n,).

    Their sum, modulo 2**64, is a checksum of a table that no order of rows changes.
    """
    import numpy as np
    import pyarrow as pa

    words = np.ascontiguousarray(vectors, dtype=np.float32).view(np.uint32)
    generator = np.random.default_rng(words.shape[1])
    odd = generator.integers(0, 2**64, words.shape[1], dtype=np.uint64) | np.uint64(1)
    sums = np.empty(len(words), np.uint64)
    for start in range(0, len(words), 8192):  # a slice that stays in the cache when widened to 64 bits
        sums[start : start + 8192] = words[start : start + 8192].astype(np.uint64) @ odd
    texts = _strings(keys).to_pylist() if not isinstance(keys, pa.Array) else keys.to_pylist()
    names = [hashlib.blake2b(f"{role}:{text}".encode(), digest_size=8).digest() for text in texts]
    return _mixed(_mixed(sums) ^ np.frombuffer(b"".join(names), dtype="<u8"))


def _mixed(values: np.ndarray) -> np.ndarray:
    """The finaliser of splitmix64: each bit of the input changes half of the output's."""
    import numpy as np

    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def _strings(values: Sequence[str] | pa.Array) -> pa.Array:
    import pyarrow as pa

    if isinstance(values, pa.ChunkedArray):
        return values.combine_chunks()
    return values if isinstance(values, pa.Array) else pa.array(values, pa.string())
