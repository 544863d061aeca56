"""Reciprocal rank fusion with numbers that a reader can check."""

import numpy as np
import pyarrow as pa
import pytest

from finrag.errors import FinragError
from finrag.search.fusion import fuse
from finrag.search.hits import hit_schema


def hits(**lists):
    """Tables of hits from {query_id: sentence ids in rank order}; scores do not matter."""
    rows = [
        {"query_id": query, "sentence_id": sentence, "raw_rank": rank, "score": 0.0}
        for query, sentences in lists.items()
        for rank, sentence in enumerate(sentences.split(), start=1)
    ]
    return pa.Table.from_pylist(rows, hit_schema())


def fused(table):
    return [(row["query_id"], row["sentence_id"], row["raw_rank"]) for row in table.to_pylist()]


def test_scores_by_hand():
    result = fuse([hits(q="a b c"), hits(q="c a d")], 10, rrf_k=60, depth=100)
    # a: 1/61 + 1/62, c: 1/63 + 1/61, b: 1/62, d: 1/63
    assert fused(result) == [("q", "a", 1), ("q", "c", 2), ("q", "b", 3), ("q", "d", 4)]
    assert result["score"].to_pylist() == [
        np.float32(score) for score in (1 / 61 + 1 / 62, 1 / 63 + 1 / 61, 1 / 62, 1 / 63)
    ]


def test_small_constant_prefers_the_first_place_to_two_middle_ones():
    """With rrf_k = 1: a = 1/2, b = 1/4 + 1/5 = 0.45; with 60: a = 1/61, b = 1/63 + 1/64."""
    lists = [hits(q="a x b"), hits(q="y z w b")]
    assert fused(fuse(lists, 1, rrf_k=1, depth=100))[0] == ("q", "y", 1)
    assert [sentence for _, sentence, _ in fused(fuse(lists, 3, rrf_k=1, depth=100))] == ["y", "a", "b"]
    assert fused(fuse(lists, 1, rrf_k=60, depth=100))[0] == ("q", "b", 1)


def test_mirrored_ranks_tie_and_the_later_id_comes_first():
    result = fuse([hits(q="a b m"), hits(q="b a n")], 4, rrf_k=60, depth=100)
    assert fused(result) == [("q", "b", 1), ("q", "a", 2), ("q", "n", 3), ("q", "m", 4)]
    assert len(set(result["score"].to_pylist())) == 2


def test_depth_cuts_each_list_and_k_the_result():
    lists = [hits(q="a b c"), hits(q="c a d")]
    assert fused(fuse(lists, 10, rrf_k=60, depth=1)) == [("q", "c", 1), ("q", "a", 2)]
    assert fused(fuse(lists, 1, rrf_k=60, depth=2)) == [("q", "a", 1)]


def test_queries_do_not_mix_and_one_list_is_enough():
    result = fuse([hits(p="a", q="a b"), hits(q="b c", r="z")], 2, rrf_k=60, depth=100)
    assert fused(result) == [("p", "a", 1), ("q", "b", 1), ("q", "a", 2), ("r", "z", 1)]


def test_no_hits_at_all():
    assert fuse([hits(), hits()], 5, rrf_k=60, depth=100).num_rows == 0


@pytest.mark.parametrize("parameters", [{"rrf_k": -1, "depth": 5}, {"rrf_k": 60, "depth": 0}])
def test_faults_are_named(parameters):
    with pytest.raises(FinragError, match="rrf_k must be 0 or more, depth 1 or more"):
        fuse([hits(q="a")], 5, **parameters)
