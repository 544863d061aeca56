"""Ranking by lot: the same draw every time, of what the query may see and nothing else, and as likely as chance."""

from __future__ import annotations

from math import comb

import numpy as np
import pyarrow as pa
import pytest

from finrag.search import chance


class Sentences:
    """Stands for an index: 40 sentences of company 1, 3 of company 2."""

    def __init__(self) -> None:
        ids = [f"s{number:03}" for number in range(43)]
        self.rows = pa.table({"sentence_id": pa.array(ids[::-1]), "cik": pa.array([2] * 3 + [1] * 40, pa.int64())})

    def batches(self, *columns: str) -> list[pa.RecordBatch]:
        return self.rows.select(columns).to_batches(max_chunksize=7)

    def id_order(self) -> np.ndarray:
        return np.arange(43)[::-1]

    def take(self, rows: np.ndarray, *columns: str) -> pa.Table:
        return self.rows.select(columns).take(rows)


def queries(count: int, cik: int) -> pa.Table:
    numbers = [str(number) for number in range(count)]
    return pa.table({"query_id": numbers, "text_hash": numbers, "cik": pa.array([cik] * count, pa.int64())})


def test_a_query_sees_its_slice_only_and_each_sentence_once():
    hits = chance.search(Sentences(), queries(5, 2), 30, ("cik",), "seed")
    assert hits.num_rows == 5 * 3
    assert set(hits["sentence_id"].to_pylist()) == {"s040", "s041", "s042"}
    assert hits["raw_rank"].to_pylist() == [1, 2, 3] * 5


def test_an_unknown_slice_gives_nothing():
    assert chance.search(Sentences(), queries(2, 7), 30, ("cik",), "seed").num_rows == 0


def test_the_draw_follows_from_the_seed():
    first, again = (chance.search(Sentences(), queries(4, 1), 5, (), "seed") for _ in range(2))
    assert first.equals(again)
    assert not first.equals(chance.search(Sentences(), queries(4, 1), 5, (), "other"))


def test_hits_are_as_frequent_as_the_hypergeometric_distribution_says():
    """4 gold of 40 sentences, 5 drawn: a hit with probability 1 - C(36,5)/C(40,5) = 0.4271."""
    hits = chance.search(Sentences(), queries(4000, 1), 5, ("cik",), "seed")
    is_gold = np.isin(hits["sentence_id"].to_numpy(zero_copy_only=False), ["s000", "s010", "s020", "s030"])
    observed = is_gold.reshape(-1, 5).any(axis=1).mean()
    expected = 1 - comb(36, 5) / comb(40, 5)
    assert expected == pytest.approx(0.4271, abs=1e-4)
    assert observed == pytest.approx(expected, abs=4 * (expected * (1 - expected) / 4000) ** 0.5)
