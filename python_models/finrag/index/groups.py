"""Which rows a query may see: those of its group, the rows equal to it in the columns of a regime."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pyarrow as pa

    Selection = slice | np.ndarray
    Pairs = tuple[np.ndarray, np.ndarray]


class RowGroups:
    """Which rows each group has, prepared once for any number of searches.

    codes: (n,) integer group of each row. Rows of a group side by side are searched without a copy.
    """

    def __init__(self, codes: np.ndarray) -> None:
        self.codes = codes
        self.rows = np.argsort(codes, kind="stable")
        self.ordered = codes[self.rows]

    def ranges(self, query_groups: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(q,) positions in `rows` where each query's group starts and where it stops: the same where it has no row."""
        return tuple(np.searchsorted(self.ordered, query_groups, side) for side in ("left", "right"))

    def seen(self, query_groups: np.ndarray, few: int) -> tuple[Pairs, list[tuple[np.ndarray, Selection]]]:
        """Pairs of query and row in groups of at most `few` rows; queries and rows of each larger group."""
        starts, stops = self.ranges(query_groups)
        sizes = stops - starts
        pairs = self._pairs(np.flatnonzero(sizes <= few), starts, sizes)
        queries = np.flatnonzero(sizes > few)
        queries = queries[np.argsort(starts[queries], kind="stable")]
        of_group, first = np.unique(starts[queries], return_index=True)
        seeing = np.split(queries, first)[1:]
        return pairs, [
            (each, self._slice(start, stop))
            for each, start, stop in zip(seeing, of_group.tolist(), stops[queries[first]].tolist(), strict=True)
        ]

    def _pairs(self, queries: np.ndarray, starts: np.ndarray, sizes: np.ndarray) -> Pairs:
        starts, sizes = starts[queries], sizes[queries]
        before = np.cumsum(sizes) - sizes
        return np.repeat(queries, sizes), self.rows[np.arange(sizes.sum()) + np.repeat(starts - before, sizes)]

    def _slice(self, start: int, stop: int) -> Selection:
        """Rows side by side as a slice, which is read without a copy."""
        first, last = int(self.rows[start]), int(self.rows[stop - 1])
        return slice(first, last + 1) if last - first == stop - 1 - start else self.rows[start:stop]


class Grouping:
    """Groups of the rows that are equal in all columns, prepared once for any number of queries.

    rows: which rows each group has. Without columns all rows are one group.
    """

    def __init__(self, batches: Iterable[pa.RecordBatch], columns: Sequence[str]) -> None:
        """batches: of the rows, with the columns; of these only numbers are held, four bytes a row and column."""
        import pyarrow.compute as pc

        self.values: dict[str, dict[object, int]] = {column: {} for column in columns}
        codes: dict[str, list[np.ndarray]] = {column: [] for column in columns}
        count = 0
        for batch in batches:
            count += batch.num_rows
            for column, known in self.values.items():
                encoded = pc.dictionary_encode(batch[column], null_encoding="encode")
                code = [known.setdefault(value, len(known)) for value in encoded.dictionary.to_pylist()]
                codes[column].append(np.array(code, np.int32)[encoded.indices.to_numpy(zero_copy_only=False)])
        self.dtype = np.int32 if prod(len(known) for known in self.values.values()) < 2**31 else np.int64
        whole = np.zeros(count, self.dtype)
        for column, known in self.values.items():
            whole *= len(known)
            whole += np.concatenate([np.empty(0, np.int32), *codes.pop(column)])
        self.rows = RowGroups(whole)

    def of(self, queries: pa.Table) -> np.ndarray:
        """(q,) group of each query by its values of the columns; -1 where no row has them."""
        codes = np.zeros(queries.num_rows, self.dtype)
        is_known = np.ones(queries.num_rows, bool)
        for column, known in self.values.items():
            place = np.array([known.get(value, -1) for value in queries[column].to_pylist()], self.dtype)
            is_known &= place >= 0
            codes = codes * len(known) + place
        return np.where(is_known, codes, -1).astype(self.dtype)
