"""Filings are read and split so much text at a time, and the cuts change nothing."""

from __future__ import annotations

import duckdb
import jinja2
import pytest

import sentence_tables
from finrag.corpus import filings
from finrag.corpus.filings import batches, split_filings
from warehouses import ROOT

TODO = [("f1", "a", 30), ("f2", "a", 50), ("f3", "a", 21), ("f4", "b", 500), ("f5", "c", 1), ("f6", "d", 1)]


def names(characters: int, files: int) -> list[str]:
    return ["".join(filing_id for filing_id, *_ in batch) for batch in batches(TODO, characters, files)]


def test_batches_are_cut_by_text_and_by_files_and_part_no_filing():
    assert names(100, 64) == ["f1f2", "f3", "f4", "f5f6"]  # 30 + 50 + 21 is one too many, and f4 alone is too large
    assert names(101, 64) == ["f1f2f3", "f4", "f5f6"]
    assert names(10_000, 2) == ["f1f2f3f4", "f5f6"]
    assert list(batches([], 100, 64)) == []


def test_a_filing_without_text_is_one_of_no_characters():
    session = duckdb.connect()
    session.execute("create schema corpus")
    session.execute("create table corpus.processed_filings as select 'done' as filing_id, 'm' as model")
    session.execute(
        "create table versions as from (values ('f', 'a', 'filing', null), ('done', 'a', 'filing', 3), ('g', 'a',"
        " 'filing', 30), ('s', 'b', 'sentence', 9)) as v (filing_id, file_path, level, char_count)"
    )
    assert filings.unprocessed(session.table("versions"), "m") == [("f", "a", 0), ("g", "a", 30)]


def test_parts_are_cut_by_text_and_part_no_filing():
    texts = [("f1", "a" * 30), ("f1", "a" * 30), ("f2", "a" * 50), ("f3", "a"), ("f4", "")]
    empty = dict.fromkeys(filings.ITEMS)
    rows = [tuple((empty | {"filing_id": name, "item_text": text}).values()) for name, text in texts]
    assert [[row[0] for row in part] for part in filings.cut(rows, 100)] == [["f1", "f1"], ["f2", "f3", "f4"]]
    assert len(list(filings.cut(rows, 1))) == 3  # f4 has no text
    assert list(filings.cut([], 1)) == []


def test_no_more_text_than_allowed_is_held_and_the_sentences_are_the_same(monkeypatch, tmp_path):
    session, todo = sentence_tables.filings(20)
    held = []
    split_items = filings.split_items

    def counted(rows: list[tuple]):
        held.append(sum(len(row[filings.ITEM_TEXT]) for row in rows))
        return split_items(rows)

    monkeypatch.setattr(filings, "split_items", counted)

    def sentences(of_batch: int, of_part: int) -> list[tuple]:
        held.clear()
        monkeypatch.setattr(filings, "CHARACTERS_PER_BATCH", of_batch)
        monkeypatch.setattr(filings, "CHARACTERS_PER_PART", of_part)
        return split_filings(session, todo, session.table("items"), session.table("rejected"), tmp_path).fetchall()

    whole = sentences(10**9, 10**9)
    assert len(held) == 1 and len(whole) == 19 * 40
    for limits in ((3_000, 10**9), (10**9, 3_000)):
        assert sentences(*limits) == whole
        assert len(held) > 5 and max(held) <= 3_000
    assert not list(tmp_path.iterdir())


def test_names_of_folders_above_are_no_columns_and_no_patterns(tmp_path):
    session, todo = sentence_tables.filings(2)
    relations = (session.table("items"), session.table("rejected"))
    expected = split_filings(session, todo, *relations, tmp_path / "plain").fetchall()
    assert expected and split_filings(session, todo, *relations, tmp_path / "env=prod" / "a [1]").fetchall() == expected


@pytest.mark.parametrize(("files_written", "is_written"), [(4, True), (3, False)])
def test_few_paths_are_written_out_and_many_are_joined(tmp_path, files_written, is_written):
    """The macro alone, rendered with what dbt would give it."""
    session = duckdb.connect()
    session.execute("create table wanted as select 'it''s ' || range || '.parquet' as file_path from range(4)")
    session.execute("insert into wanted from wanted")  # each path once in the statement
    session.execute(
        "create table rows_of_files as select 'it''s ' || (range % 10) || '.parquet' as file_path from range(50)"
    )

    class Column(list):
        values = list.copy

    class Rows:
        def __init__(self, query: str) -> None:
            self.columns = [Column(path for (path,) in session.execute(query).fetchall())]

    macros = (ROOT / "macros" / "filings" / "unprocessed_filings.sql").read_text()
    given = {"run_query": Rows, "paths": "select file_path from wanted", "files_written": files_written}
    condition = jinja2.Template(macros + "{{ in_files(paths, files_written) }}").render(given).strip()
    assert condition.count(".parquet'") == (4 if is_written else 0)
    assert session.execute(f"select count(*) from rows_of_files where {condition}").fetchone() == (20,)
