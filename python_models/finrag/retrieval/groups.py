"""The rows of an index by their values in the columns of a regime: what a filtered search looks up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from finrag.retrieval.exact import RowGroups

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa


class Grouping:
    """Groups of the rows that are equal in all columns, prepared once for any number of queries.

    rows: which rows each group has. Without columns all rows are one group.
    """

    def __init__(self, rows: pa.Table, columns: Sequence[str]) -> None:
        import pyarrow as pa
        import pyarrow.compute as pc

        self.values = {}
        codes = np.zeros(rows.num_rows, np.int64)
        for column in columns:
            encoded = pc.dictionary_encode(rows[column], null_encoding="encode").combine_chunks()
            if isinstance(encoded, pa.ChunkedArray):
                encoded = encoded.unify_dictionaries().chunk(0)
            self.values[column] = encoded.dictionary
            codes = codes * len(encoded.dictionary) + encoded.indices.to_numpy(zero_copy_only=False)
        self.rows = RowGroups(codes)

    def of(self, queries: pa.Table) -> np.ndarray:
        """(q,) int64 group of each query by its values of the columns; -1 where no row has them."""
        import pyarrow.compute as pc

        codes = np.zeros(queries.num_rows, np.int64)
        is_known = np.ones(queries.num_rows, bool)
        for column, values in self.values.items():
            place = pc.fill_null(pc.index_in(queries[column].cast(values.type), value_set=values), -1).to_numpy()
            is_known &= place >= 0
            codes = codes * len(values) + place
        return np.where(is_known, codes, -1)
