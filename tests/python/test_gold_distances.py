"""What vectors say before a search: distances of all gold, and queries that have no vector."""

from __future__ import annotations

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from finrag.search import gold_distances
from finrag.tables import name_relations

VECTORS = {"up": [0, 1], "right": [1, 0], "between": [0.6, 0.8]}


class Store:
    """Vectors by text, nan for a text without one, as EmbeddingStore gives them."""

    def vectors(self, texts: pa.Array, missing: str) -> np.ndarray:
        assert missing == "nan"
        return np.array([VECTORS.get(text, [np.nan, np.nan]) for text in texts.to_pylist()], np.float32)

    query_vectors = vectors


def test_every_gold_sentence_has_its_distance():
    rows = [
        ("far", "up", "g1", "right"),
        ("far", "up", "g2", "between"),
        ("far", "up", "g3", "no vector"),
        ("no gold", "right", None, None),
        ("no vector", "unknown", "g1", "right"),
    ]
    names = ("query_id", "text_hash", "sentence_id", "gold_hash")
    pairs = pa.table(
        {name: pa.array(column, pa.string()) for name, column in zip(names, zip(*rows, strict=True), strict=True)}
    )
    found = {row["query_id"]: row for row in gold_distances.of_pairs(Store(), pairs)}
    assert list(found) == ["far", "no gold", "no vector"]
    assert found["far"]["gold_ids"] == ["g1", "g2"]
    assert found["far"]["distances"] == pytest.approx([1.0, 0.2])
    assert [row["has_vector"] for row in found.values()] == [True, True, False]
    assert found["no gold"]["gold_ids"] == found["no vector"]["gold_ids"] == []


def test_names_of_relations_leave_no_view_behind(tmp_path):
    path = str(tmp_path / "warehouse.duckdb")
    with duckdb.connect(path) as session:
        relation = session.sql("select 1 as number")
        relation.create_view("numbers")  # as earlier versions did
        name_relations(session, numbers=session.sql("select 2 as number"))
        assert session.execute("select number from numbers").fetchall() == [(2,)]
    with duckdb.connect(path) as session:
        assert session.execute("select table_name from information_schema.tables").fetchall() == []
