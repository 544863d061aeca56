"""Hybrid search: reciprocal rank fusion of ranked lists (Cormack, Clarke and Buettcher, SIGIR 2009)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from finrag.errors import FinragError
from finrag.search.hits import hit_schema, rank_hits

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa


def fuse(lists: Sequence[pa.Table], k: int, *, rrf_k: int, depth: int) -> pa.Table:
    """The k best sentences of each query by the sum of 1 / (rrf_k + rank) over the first `depth` of each list.

    lists: tables of hits, the query's own sentence included: it is removed after fusion, by id, as from every list.
    Sums are taken in float64 and rounded to float32, so that sentences with the same ranks in other lists tie.
    """
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    if rrf_k < 0 or depth < 1:
        raise FinragError(
            f"Rank fusion with rrf_k {rrf_k} and depth {depth}: rrf_k must be 0 or more, depth 1 or more."
        )
    hits = pa.concat_tables([hits.filter(pc.less_equal(hits["raw_rank"], depth)) for hits in lists])
    if not hits.num_rows:
        return hit_schema().empty_table()
    queries = pc.unique(hits["query_id"])
    sentences = pc.unique(hits["sentence_id"])
    query = pc.index_in(hits["query_id"], value_set=queries).to_numpy().astype(np.int64)
    sentence = pc.index_in(hits["sentence_id"], value_set=sentences).to_numpy().astype(np.int64)
    pairs, pair = np.unique(query * len(sentences) + sentence, return_inverse=True)
    # the smaller rank first, so that the same two ranks add to the same sum whichever list gave which
    ranks = hits["raw_rank"].to_numpy()
    by_rank = np.argsort(ranks, kind="stable")
    score = np.bincount(pair[by_rank], weights=1 / (rrf_k + ranks[by_rank])).astype(np.float32)
    ids = pa.chunked_array([sentences.take(pa.array(pairs % len(sentences)))])
    return rank_hits(pa.chunked_array([queries]), ids, score, pairs // len(sentences), k)
