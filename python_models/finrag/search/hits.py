"""Hits of many queries as one Arrow table, the form in which all strategies hand them on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa


def hit_schema() -> pa.Schema:
    """query_id, sentence_id, raw_rank (from 1, the query's own sentence counted), score; by query, then rank."""
    import pyarrow as pa

    return pa.schema(
        [("query_id", pa.string()), ("sentence_id", pa.string()), ("raw_rank", pa.int32()), ("score", pa.float32())]
    )


def hit_table(
    query_ids: pa.ChunkedArray,
    sentence_ids: pa.ChunkedArray,
    query: np.ndarray,
    sentence: np.ndarray,
    rank: np.ndarray,
    score: np.ndarray,
) -> pa.Table:
    """Hits given as positions in query_ids and sentence_ids, sorted by query and rank."""
    import pyarrow as pa

    columns = [query_ids.take(pa.array(query)), sentence_ids.take(pa.array(sentence)), pa.array(rank), pa.array(score)]
    return pa.table(columns, names=hit_schema().names).cast(hit_schema()).combine_chunks()


def rank_hits(
    query_ids: pa.ChunkedArray, sentence_ids: pa.ChunkedArray, score: np.ndarray, query: np.ndarray, k: int
) -> pa.Table:
    """Rank hits in any order: the k best of each query by score descending, then sentence_id descending.

    query: (m,) position in query_ids of each hit; sentence_ids, score: (m,).
    """
    from finrag.index.exact import best

    chosen, rank = best(query, score, sentence_order(sentence_ids), k)
    return hit_table(query_ids, sentence_ids, query[chosen], chosen, rank, score[chosen])


def sentence_order(sentence_ids: pa.ChunkedArray) -> np.ndarray:
    """(n,) position of each id when all are sorted ascending, by code point as trec_eval does."""
    import numpy as np
    import pyarrow.compute as pc

    order = np.empty(len(sentence_ids), np.int64)
    order[pc.sort_indices(sentence_ids).to_numpy()] = np.arange(len(sentence_ids))
    return order
