"""The vectors of one model in a Lance dataset: one per distinct text and role.

A dataset belongs to one fingerprint, which is part of its path, so vectors of two models, revisions or dimensions are
never in one table. Appends are atomic: a process killed in the middle leaves whole batches or nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from finrag.encoders.fragments import FragmentTable
from finrag.encoders.models import DOCUMENT, QUERY, EmbeddingModel
from finrag.errors import FinragError
from finrag.keys import Places, hashed
from finrag.lance_folder import sidecar, version_of
from finrag.tables import matrix
from finrag.whole import write_whole

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    from finrag.keys import Keys

IMPORTED = "imported"
PRECISIONS = ("fp32", "bf16")

# Compaction leaves fragments of this many rows; more than a few are not opened one by one anyway.
FRAGMENT_ROWS = 1024 * 1024
# Rows read at a time by what reads the whole table.
BATCH_ROWS = 65_536
# Taking a row takes as long as reading so many bytes of vectors in their order (32 and 384 numbers, 0.2 to 6.5 million
# rows in memory).
BYTES_A_ROW_TAKEN = 12_000


class EmbeddingStore(FragmentTable):
    """Vectors of one model, L2-normalised fp32.

    Columns: text_hash, role ('document' or 'query'), vector (fixed_size_list<float32>[dimension]), token_count and
    max_tokens (int32, null for imported vectors), is_truncated, precision ('fp32', 'bf16' or 'imported').
    """

    def __init__(self, path: str, model: EmbeddingModel) -> None:
        super().__init__(path)
        self.model = model
        # of each role, the version of the table that the places are of
        self._places: dict[str, tuple[int, Places]] = {}

    @classmethod
    def open(cls, folder: Path | str, model: EmbeddingModel) -> EmbeddingStore:
        """The model's store under the folder FINRAG_LANCE; nothing is written before the first append."""
        store = cls(f"{folder}/embeddings/{model.table_name}.lance", model)
        dataset = store.dataset()
        if dataset is not None and dataset.schema.field("vector").type.list_size != model.dimension:
            raise FinragError(
                f"{store.path} holds vectors of {dataset.schema.field('vector').type.list_size} dimensions, "
                f"{model.model_id} has {model.dimension}. Remove that folder and build again."
            )
        return store

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

    def append(self, batch: pa.Table) -> None:
        """Add rows of the store's schema, in one atomic step."""
        import lance

        if batch.num_rows:
            self._dataset = lance.write_dataset(
                batch.cast(self.schema), self.path, mode="create" if self.dataset() is None else "append"
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

    def batches(self, *columns: str, rows: int = BATCH_ROWS) -> Iterator[tuple[int, pa.RecordBatch]]:
        """Columns of the whole table, so many rows at a time, each batch with the position of its first row."""
        dataset = self.dataset()
        at = 0
        for batch in () if dataset is None else dataset.to_batches(columns=list(columns), batch_size=rows):
            yield at, batch
            at += batch.num_rows

    def count(self, condition: str) -> int:
        """Rows that an SQL condition over the store's columns selects."""
        dataset = self.dataset()
        return 0 if dataset is None else dataset.count_rows(filter=condition)

    def rows(self, text_hashes: Keys, role: str = DOCUMENT) -> np.ndarray:
        """Position in the table of each text's row with that role, -1 where there is none; int64, shape (n,)."""
        dataset = self.dataset()
        version = 0 if dataset is None else dataset.version
        if self._places.get(role, (None,))[0] != version:
            self._places[role] = (version, Places(self._keys(role)))
        return self._places[role][1].of(text_hashes)

    def _keys(self, role: str) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Hashes and positions of the rows of one role."""
        import numpy as np
        import pyarrow.compute as pc

        for at, batch in self.batches("text_hash", "role"):
            places = np.flatnonzero(pc.equal(batch["role"], role).to_numpy(zero_copy_only=False))
            yield hashed(batch["text_hash"])[places], places + at

    def precision(self) -> str | None:
        """Arithmetic of the vectors computed so far, which those still to come shall have; None without any."""
        found = [name for name in PRECISIONS if self.count(f"precision = '{name}'")]
        return found[0] if len(found) == 1 else None

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
        if self.model.is_imported:
            return QUERY if self.count(f"role = '{QUERY}'") else DOCUMENT
        return QUERY if self.model.is_asymmetric else DOCUMENT

    def query_vectors(self, text_hashes: Sequence[str] | pa.Array, missing: str = "raise") -> np.ndarray:
        """As `vectors`, of the texts as queries; `embed_queries` computes those that are missing."""
        return self.vectors(text_hashes, self.query_role(), missing)

    def checksum(self, text_hashes: Keys, roles: Sequence[str] = (DOCUMENT,)) -> str:
        """Checksum of the vectors of these texts, whatever the order of texts or rows; 16 hex digits.

        It changes when a value of a vector changes and when two texts swap their vectors. Texts without a vector do not
        count, nor does a text's repetition.
        """
        import json

        import numpy as np

        # not numpy.unique, whose table of hashes takes seven times as long for 20 million
        unique = np.sort(hashed(text_hashes))
        unique = unique[np.diff(unique, prepend=~unique[:1]) != 0]
        key = self._checksum_key(unique, roles)
        cache = sidecar(self.path, "checksum.json")
        known = json.loads(cache.read_text(encoding="utf-8")) if cache.is_file() else {}
        if known.get("key") == key:
            return known["checksum"]
        total = 0
        for role in roles:
            rows = self.rows(unique, role)
            is_wanted = np.zeros(int(rows.max(initial=-1)) + 1, bool)
            is_wanted[rows[rows >= 0]] = True
            for at, batch in self.batches("text_hash", "vector"):
                wanted = np.flatnonzero(is_wanted[at : at + batch.num_rows])
                if len(wanted):
                    sums = row_checksums(batch["text_hash"].take(wanted), matrix(batch["vector"])[wanted], role)
                    total += int(sums.sum(dtype="uint64"))
        checksum = f"{total % 2**64:016x}"
        if self.dataset() is not None:
            write_whole(cache, json.dumps({"key": key, "checksum": checksum}))
        return checksum

    def _checksum_key(self, texts: np.ndarray, roles: Sequence[str]) -> str:
        """Names the state of the table and the texts, so that an unchanged build need not read the vectors."""
        dataset = self.dataset()
        state = "" if dataset is None else version_of(dataset)
        digest = hashlib.sha256(f"{state} {' '.join(roles)} ".encode())
        digest.update(texts.tobytes())
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
        wanted, at_wanted = np.unique(rows[present], return_inverse=True)
        if len(wanted) * BYTES_A_ROW_TAKEN < dataset.count_rows() * self.model.dimension * 4:
            result[present] = matrix(dataset.take(wanted, columns=["vector"])["vector"])[at_wanted]
        else:
            order = present[np.argsort(at_wanted, kind="stable")]
            ordered = rows[order]
            for at, batch in self.batches("vector"):
                here = slice(*np.searchsorted(ordered, (at, at + batch.num_rows)))
                result[order[here]] = matrix(batch["vector"])[ordered[here] - at]
        return result


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
