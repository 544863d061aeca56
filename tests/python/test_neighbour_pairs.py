"""Pairs of neighbouring sentences: by hand on a small section with gaps, and against a range join on many."""

from __future__ import annotations

import duckdb
import pytest
from jinja2 import Environment

from databases import in_memory
from warehouses import ROOT

MACROS = Environment().from_string((ROOT / "macros" / "neighbour_pairs.sql").read_text(encoding="utf-8")).module
RANGE_JOIN = """
    select a.sentence_id, b.sentence_id, b.sentence_pos - a.sentence_pos
    from sentences as a
    inner join sentences as b using (filing_id, section_id)
    where a.sentence_pos != b.sentence_pos and abs(b.sentence_pos - a.sentence_pos) <= {window}
"""


def pairs(connection: duckdb.DuckDBPyConnection, window: int) -> list[tuple]:
    connection.execute(f"create or replace temp table positions as {MACROS.dense_positions('sentences')}")
    return connection.execute(
        f"""
        select one.sentence_id, other.sentence_id, pairs.distance
        from ({MACROS.neighbour_pairs("positions", window)}) as pairs
        inner join positions as one on pairs.sentence_key = one.sentence_key
        inner join positions as other on pairs.neighbour_key = other.sentence_key
        order by all
        """
    ).fetchall()


@pytest.fixture
def connection():
    with in_memory() as connection:
        connection.execute(
            "create table sentences (sentence_id varchar, filing_id varchar, section_id varchar, sentence_pos integer)"
        )
        yield connection


def insert(connection, section: str, *positions: int) -> None:
    rows = [(f"{section}{position}", "f", section, position) for position in positions]
    connection.executemany("insert into sentences values (?, ?, ?, ?)", rows)


def test_gaps_count_as_distance_and_sections_do_not_touch(connection):
    insert(connection, "a", 0, 1, 2)
    insert(connection, "b", 3, 5, 9)
    assert pairs(connection, 2) == [
        ("a0", "a1", 1),
        ("a0", "a2", 2),
        ("a1", "a0", -1),
        ("a1", "a2", 1),
        ("a2", "a0", -2),
        ("a2", "a1", -1),
        ("b3", "b5", 2),
        ("b5", "b3", -2),
    ]
    assert [pair for pair in pairs(connection, 4) if pair[0] == "b9"] == [("b9", "b5", -4)]


def test_a_lone_sentence_has_no_neighbours(connection):
    insert(connection, "a", 7)
    assert pairs(connection, 5) == []


@pytest.mark.parametrize("window", [1, 3, 5, 12])
def test_the_same_as_a_range_join(connection, window):
    connection.execute(
        """
        insert into sentences
        select
            's' || n, 'f' || n // 100, 'ITEM_' || (n // 50) % 2,
            -- every other section has gaps, of one and of eight positions
            case when (n // 50) % 2 = 0 then n % 50 else (n % 50) * 2 + (n % 50) // 10 * 7 end
        from range(2000) as numbers(n)
        """
    )
    expected = connection.execute(RANGE_JOIN.format(window=window) + " order by all").fetchall()
    assert len(expected) > 1000
    assert pairs(connection, window) == expected
