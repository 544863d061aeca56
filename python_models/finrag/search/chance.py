"""Ranking by lot: what a strategy must beat before its figures mean anything.

In a filtered regime an item of 25 sentences with 10 gold ones gives Hit@5 0.95 to whoever draws blindly.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from finrag.index.groups import Grouping, RowGroups
from finrag.search.hits import hit_schema, hit_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from finrag.index.lance import SentenceIndex


def search(index: SentenceIndex, queries: pa.Table, k: int, columns: Sequence[str], seed: str) -> pa.Table:
    """Hits (finrag.search.hits): up to k sentences per query, drawn without replacement from those it may see.

    queries: query_id, text_hash and the filter columns. The draw is decided by seed, the query's text and the sentences
    it may see, so it is the same on every machine. Scores are 1 / rank.
    """
    import numpy as np

    by_id = np.argsort(index.id_order())
    grouping = Grouping(index.batches(*columns or ("cik",)), columns)
    groups = RowGroups(grouping.rows.codes[by_id])
    starts, stops = groups.ranges(grouping.of(queries))
    drawn = []
    for text_hash, start, stop in zip(queries["text_hash"].to_pylist(), starts, stops, strict=True):
        digest = hashlib.sha256(f"{seed}|{text_hash}".encode()).digest()
        generator = np.random.Generator(np.random.PCG64(int.from_bytes(digest[:16], "big")))
        drawn.append(groups.rows[start + generator.choice(stop - start, min(k, stop - start), replace=False)])
    counts = np.array([len(each) for each in drawn], dtype=np.int64)
    if not counts.sum():
        return hit_schema().empty_table()
    rank = np.concatenate([np.arange(1, count + 1) for count in counts]).astype(np.int32)
    score = (1 / rank).astype(np.float32)
    query = np.repeat(np.arange(len(counts)), counts)
    rows, place = np.unique(by_id[np.concatenate(drawn)], return_inverse=True)
    return hit_table(queries["query_id"], index.take(rows, "sentence_id")["sentence_id"], query, place, rank, score)
