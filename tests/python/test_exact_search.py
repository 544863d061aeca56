"""The exact search against float64 brute force: every shape of input, ties, groups of every size, any block size."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_info, threadpool_limits

from finrag.errors import FinragError
from finrag.index import exact
from finrag.threads import one_blas_thread
from warehouses import ROOT


def brute_force(queries, vectors, k, order=None, query_groups=None, row_groups=None):
    """[(query, row, rank, score)]: every pair in float64, sorted one query at a time."""
    order = range(len(vectors)) if order is None else order
    hits = []
    for query, query_vector in enumerate(queries.astype(np.float64)):
        seen = [row for row in range(len(vectors)) if row_groups is None or row_groups[row] == query_groups[query]]
        scores = {row: np.float32(np.vecdot(vectors[row].astype(np.float64), query_vector)) for row in seen}
        ranking = sorted(seen, key=lambda row: (scores[row], order[row]), reverse=True)[:k]
        hits += [(query, row, rank, scores[row]) for rank, row in enumerate(ranking, start=1)]
    return hits


def as_rows(hits):
    return list(zip(hits.query.tolist(), hits.row.tolist(), hits.rank.tolist(), hits.score, strict=True))


def coarse(rng, rows, dimension):
    """Vectors of few distinct values, so that scores tie within and between duplicates."""
    return rng.integers(-1, 2, (rows, dimension)).astype(np.float32)


def smooth(rng, rows, dimension):
    """Unit vectors, a third of them exact copies and a third copies off by one float32 step."""
    vectors = rng.standard_normal((rows, dimension)).astype(np.float32)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6)
    third = rows // 3
    vectors[third : 2 * third] = vectors[:third]
    vectors[2 * third : 3 * third] = np.nextafter(vectors[:third], np.float32(2))
    return vectors


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    rows=st.integers(0, 90),
    query_count=st.integers(0, 7),
    dimension=st.integers(1, 40),
    k=st.integers(1, 40),
    make=st.sampled_from([coarse, smooth]),
    group_count=st.integers(0, 6),
    is_stream=st.booleans(),
    block=st.sampled_from([1, 3, 8, 2048]),
    precision=st.sampled_from(["fp32", "bf16"]),
)
def test_agrees_with_brute_force(seed, rows, query_count, dimension, k, make, group_count, is_stream, block, precision):
    rng = np.random.default_rng(seed)
    vectors, queries = make(rng, rows, dimension), make(rng, query_count, dimension)
    if rows and query_count:
        queries[0] = vectors[-1]
    order = rng.permutation(rows)
    groups = {}
    if group_count:
        groups = {
            "query_groups": rng.integers(0, group_count + 1, query_count),
            "row_groups": rng.integers(0, group_count, rows),
        }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact, "BLOCK_ROWS", block)
        patch.setattr(exact, "BLOCK_QUERIES", block)
        patch.setattr(exact, "PENDING_PAIRS", 5)
        searched = (vectors[start : start + 7] for start in range(0, rows, 7)) if is_stream else vectors
        hits = exact.search(queries, searched, k, order=order, precision=precision, **groups)
    assert as_rows(hits) == brute_force(queries, vectors, k, order, **groups)


@pytest.mark.parametrize("is_filtered", [False, True])
def test_the_best_of_the_best_of_parts_are_those_of_the_whole(is_filtered):
    rng = np.random.default_rng(6)
    vectors, queries, order = coarse(rng, 400, 3), coarse(rng, 9, 3), rng.permutation(400)
    groups = {"query_groups": np.arange(9) % 4, "row_groups": rng.integers(0, 3, 400)} if is_filtered else {}

    def best_of(start, stop):
        own = groups | {"row_groups": groups["row_groups"][start:stop]} if is_filtered else {}
        found = exact.search(queries, vectors[start:stop], 30, order=order[start:stop], **own)
        return exact.Hits(found.query, found.row + start, found.rank, found.score)

    parts = (best_of(start, stop) for start, stop in ((0, 1), (1, 250), (250, 260), (260, 400)))
    assert as_rows(exact.merged(parts, 30, order)) == brute_force(queries, vectors, 30, order, **groups)


def test_filtered_search_returns_min_k_and_slice_size():
    """Slices of every size from none to beyond k, one query each."""
    k = 30
    sizes = np.arange(k + 6)
    row_groups = np.repeat(sizes, sizes)
    vectors = smooth(np.random.default_rng(1), len(row_groups), 16)
    rows = np.random.default_rng(2).permutation(len(row_groups))
    hits = exact.search(
        smooth(np.random.default_rng(3), len(sizes), 16),
        vectors[rows],
        k,
        query_groups=sizes,
        row_groups=row_groups[rows],
    )
    assert np.bincount(hits.query, minlength=len(sizes)).tolist() == np.minimum(sizes, k).tolist()


def test_a_pair_scores_the_same_in_every_regime_batch_and_block(monkeypatch):
    rng = np.random.default_rng(4)
    vectors, queries = smooth(rng, 5000, 384), smooth(rng, 60, 384)
    whole = exact.search(queries, vectors, 5000)
    scores = np.empty((60, 5000), np.float32)
    scores[whole.query, whole.row] = whole.score
    for block in (64, 1000):
        monkeypatch.setattr(exact, "BLOCK_ROWS", block)
        for query in (0, 17, 59):
            alone = exact.search(queries[query : query + 1], vectors, 700)
            assert (alone.score == scores[query, alone.row]).all()
    filtered = exact.search(queries, vectors, 30, query_groups=np.arange(60) % 9, row_groups=np.arange(5000) % 9)
    assert (filtered.score == scores[filtered.query, filtered.row]).all()
    # copies tie exactly, whatever their places
    assert (scores[:, :1666] == scores[:, 1666:3332]).all()


def test_ties_go_to_the_later_sentence_id_even_at_the_cut():
    vectors = np.ones((100, 4), np.float32)
    order = np.random.default_rng(5).permutation(100)
    hits = exact.search(np.ones((1, 4), np.float32), vectors, 30, order=order)
    assert order[hits.row].tolist() == list(range(99, 69, -1))


def test_best_row_last_is_found_in_a_stream_of_ever_better_rows():
    """Rows in ascending order of score: the running bound filters nothing, and memory is bounded by flushing."""
    vectors = np.linspace(0, 1, 20_000, dtype=np.float32)[:, None]
    hits = exact.search(np.ones((3, 1), np.float32), iter(np.array_split(vectors, 9)), 5)
    assert hits.row.tolist() == [19_999, 19_998, 19_997, 19_996, 19_995] * 3


@pytest.mark.parametrize(
    ("has_bf16", "queries", "is_filtered", "expected"),
    [
        (True, 512, False, "bf16"),
        (True, 511, False, "fp32"),  # rounding the rows would cost more than the products gain
        (True, 512, True, "fp32"),  # each slice has few queries
        (False, 512, False, "fp32"),
    ],
)
def test_the_scan_is_in_bf16_only_where_that_is_faster(monkeypatch, has_bf16, queries, is_filtered, expected):
    used = []
    make = exact._Product
    monkeypatch.setattr(exact, "_cpu_has_bf16", lambda: has_bf16)
    monkeypatch.setattr(exact, "_Product", lambda *settings: used.append(settings[1]) or make(*settings))
    rng = np.random.default_rng(7)
    vectors = smooth(rng, 60, 8)
    groups = {"query_groups": np.zeros(queries, int), "row_groups": np.zeros(60, int)} if is_filtered else {}
    hits = exact.search(rng.standard_normal((queries, 8)).astype(np.float32), vectors, 3, **groups)
    assert used == [expected] and len(hits) == 3 * queries


def test_bf16_scan_agrees_on_many_near_ties():
    rng = np.random.default_rng(6)
    centre = rng.standard_normal(384).astype(np.float32)
    vectors = centre + 1e-4 * rng.standard_normal((4000, 384)).astype(np.float32)
    queries = centre + 1e-2 * rng.standard_normal((5, 384)).astype(np.float32)
    assert as_rows(exact.search(queries, vectors, 30, precision="bf16")) == as_rows(
        exact.search(queries, vectors, 30, precision="fp32")
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"k": 0}, "k must be at least 1"),
        ({"precision": "int8"}, "Allowed: auto, fp32, bf16"),
        ({"query_groups": np.zeros(2)}, "needs both"),
        ({"vectors": np.ones((3, 5), np.float32)}, "dimension 4 cannot search vectors of shape \\(3, 5\\)"),
        ({"vectors": np.full((3, 4), np.nan, np.float32)}, "NaN or infinity"),
        ({"queries": np.full((2, 4), np.inf, np.float32)}, "A query vector holds NaN"),
    ],
)
def test_faults_are_named(arguments, message):
    given_ = {"queries": np.ones((2, 4), np.float32), "vectors": np.ones((3, 4), np.float32), "k": 3} | arguments
    with pytest.raises(FinragError, match=message):
        exact.search(given_.pop("queries"), given_.pop("vectors"), given_.pop("k"), **given_)


def test_one_blas_thread_until_the_last_of_overlapping_users_leaves():
    def allowed():
        return {each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"}

    with threadpool_limits(limits=2, user_api="blas"):
        before = allowed()
        first, second = one_blas_thread(), one_blas_thread()
        with first:
            second.__enter__()
            assert allowed() == {1}
        assert allowed() == {1}
        second.__exit__(None, None, None)
        assert allowed() == before


@pytest.mark.parametrize("loaded", ["before", "after"])
def test_a_build_keeps_one_blas_thread_whoever_leaves(loaded):
    """A product's last digits differ between one thread and two, so no model may find another number.

    By the plugin that dbt loads, so plain `dbt build` computes what `finrag build` does.
    """
    told = subprocess.run(
        [
            *(sys.executable, "-c"),
            f"if {loaded == 'before'}: import numpy\n"
            "import yaml\n"
            "from dbt.adapters.duckdb.plugins import BasePlugin\n"
            "from finrag.threads import one_blas_thread\n"
            f"profile = yaml.safe_load(open({str(ROOT / 'profiles.yml')!r}))\n"
            "[plugin] = profile['finrag']['outputs']['dev']['plugins']\n"
            "BasePlugin.create(**plugin)\n"
            "import numpy, threadpoolctl\n"
            "with one_blas_thread(): pass\n"
            "print({each['num_threads'] for each in threadpoolctl.threadpool_info() if each['user_api'] == 'blas'})",
        ],
        env=os.environ | {"PYTHONPATH": str(ROOT / "python_models"), "OMP_NUM_THREADS": "2"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.strip() == "{1}"
