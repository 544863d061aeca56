"""Exact search in the vectors of an index: reads the table, not LanceDB's answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from finrag.index import exact
from finrag.index.groups import Grouping, RowGroups
from finrag.search.hits import hit_table
from finrag.search.parts import search_in_parts
from finrag.tables import matrix

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    import pyarrow as pa

    from finrag.index.lance import SentenceIndex

# Vectors up to this size are read once and kept; more are read anew by each search, part by part.
KEPT_BYTES = 2 * 1024**3


class IndexedVectors:
    """The rows of an index: in memory only numbers, and the vectors while they are few."""

    def __init__(self, index: SentenceIndex) -> None:
        import numpy as np

        self.index = index
        self.order = index.id_order()
        self.kept = None
        if 4 * index.dimension * len(self.order) <= KEPT_BYTES:
            self.kept = np.concatenate([np.empty((0, index.dimension), np.float32), *index.vector_blocks()])
        self.groupings: dict[tuple[str, ...], Grouping] = {}
        self.longest = None if self.kept is None else exact.longest_vector(self.kept)

    def groups_seen(self, queries: pa.Table, columns: Sequence[str]) -> dict[str, np.ndarray | RowGroups]:
        """Which rows each query may see, as exact.search takes it: those equal to it in the columns; without, all."""
        if not columns:
            return {}
        if (named := tuple(columns)) not in self.groupings:
            self.groupings[named] = Grouping(self.index.batches(*named), named)
        grouping = self.groupings[named]
        return {"query_groups": grouping.of(queries), "row_groups": grouping.rows}

    def nearest(self, vectors: np.ndarray, k: int, groups: Mapping[str, np.ndarray | RowGroups]) -> exact.Hits:
        """The k nearest rows of each vector, of those that it may see by `groups_seen`."""
        if self.kept is None:
            return search_in_parts(self.index, vectors, k, self.order, **groups)
        return exact.search(vectors, self.kept, k, order=self.order, longest=self.longest, **groups)

    def take(self, rows: np.ndarray) -> np.ndarray:
        """(m, dimension) float32 vectors of rows given by position."""
        if self.kept is not None:
            return self.kept[rows]
        return matrix(self.index.take(rows, "vector")["vector"])

    def search(self, queries: pa.Table, vectors: np.ndarray, k: int, columns: Sequence[str] = ()) -> pa.Table:
        """Hits (finrag.search.hits.hit_schema): the k nearest sentences of each query, exactly.

        queries: query_id and the filter columns. vectors: (q, dimension) float32, one per query. columns: those whose
        values must equal the query's. A query has min(k, sentences it may see) hits.
        """
        import numpy as np

        found = self.nearest(vectors, k, self.groups_seen(queries, columns))
        rows, place = np.unique(found.row, return_inverse=True)
        ids = self.index.take(rows, "sentence_id")["sentence_id"]
        return hit_table(queries["query_id"], ids, found.query, place, found.rank, found.score)
