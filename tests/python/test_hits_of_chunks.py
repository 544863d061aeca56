"""Hits that are spans or chunks of documents stand for the sentences in them."""

from __future__ import annotations

import json

import duckdb
import polars as pl
import pytest

from finrag.errors import FinragError
from finrag.inputs.chunks import is_of_chunks
from finrag.inputs.hits import load_hits, read_file
from finrag.inputs.item_texts import Documents
from finrag.inputs.order import in_order
from finrag.search.export import DOCUMENTS
from warehouses import ROOT

# Of filing f, item ITEM_7: "Aaaa bbbb." at 0-10, "Cc." at 11-14, "Dddd eeee ffff." at 15-30; item 1A has the first too.
SENTENCES = [("s2", "ITEM_7", 2, "Dddd eeee ffff."), ("s0", "ITEM_7", 0, "Aaaa bbbb."), ("s1", "ITEM_7", 1, "Cc.")]
SENTENCES += [
    ("r0", "ITEM_1A", 0, "Aaaa  bbbb."),
    ("t0", "ITEM_7A", 0, "An excerpt stands in a sentence."),
    ("u0", "ITEM_8", 0, "Gggg acc. hhhh."),
    ("u1", "ITEM_8", 1, "Cc."),
    ("u2", "ITEM_8", 2, "h"),
]
ITEM = "f/ITEM_7"


@pytest.fixture
def session():
    with duckdb.connect() as connection:
        connection.execute("create schema corpus; create schema retrieval")
        connection.execute(
            "create table corpus.fct_sentences (sentence_id varchar, filing_id varchar, cik bigint, report_year int,"
            " section_id varchar, sentence_pos int, sentence_text varchar, text_hash varchar, sentence_kind varchar)"
        )
        for name, item, place, text in SENTENCES:
            connection.execute(
                "insert into corpus.fct_sentences values (?, 'f', 1, 2020, ?, ?, ?, md5(lower(?)), 'prose')",
                [name, item, place, text, text],
            )
        placed = (ROOT / "models/retrieval/int_placed_sentences.sql").read_text(encoding="utf-8")
        connection.execute(
            "create table placed as " + placed.replace("{{ ref('fct_sentences') }}", "corpus.fct_sentences")
        )
        connection.execute("create table regimes as select 'open' as regime")
        connection.execute("create table strategies as select 'dense' as strategy")
        yield connection


def load(session, path) -> list[dict]:
    relations = {name: session.table(name) for name in ("regimes", "strategies")}
    sentences = session.table("placed")
    table = load_hits(session, f"mine@open={path}", **relations, table="retrieval.none", sentences=sentences)
    return (table if hasattr(table, "to_pylist") else table.to_arrow_table()).to_pylist()


def lines(tmp_path, *rows: dict):
    path = tmp_path / "mine.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("place", "ids"),
    [
        ({"start": 0, "end": 30}, ["s0", "s1", "s2"]),
        ({"start": 0, "end": 14}, ["s0", "s1"]),
        # half of the first and less than half of the last
        ({"start": 5, "end": 20}, ["s0", "s1"]),
        ({"start": 6, "end": 20}, ["s1"]),
        # within a sentence
        ({"start": 16, "end": 19}, ["s2"]),
        ({"text": "aaaa bbbb. cc. Dddd"}, ["s0", "s1"]),
        ({"text": "eeee\nFFFF"}, ["s2"]),
        ({"text": "dddd eeee ffff."}, ["s2"]),
        ({"document": "f/ITEM_7A", "text": "stands in a sentence."}, ["t0"]),
        # what is in no document as it is
        ({"document": "f", "text": "AAAA BBBB. and more"}, ["f row 1"]),
        ({"document": "f", "text": "AAAA BBBB."}, ["r0"]),
        # sentences that are as short as a part of a word
        ({"document": "f/ITEM_8", "text": "Gggg acc. hhhh."}, ["u0"]),
        ({"start": 500, "end": 600}, ["f/ITEM_7 500 600"]),
        ({"document": "g/ITEM_7", "text": "eeee"}, ["g/ITEM_7 row 1"]),
    ],
)
def test_a_chunk_is_the_sentences_that_it_covers_or_lies_in(session, tmp_path, place, ids):
    rows = load(session, lines(tmp_path, {"query_id": "q", "document": ITEM, "score": 1.0} | place))
    assert [(row["sentence_id"], row["rank"], row["reason"]) for row in rows] == [
        (name, rank, None) for rank, name in enumerate(ids, start=1)
    ]


def test_offsets_are_those_of_the_exported_documents(session):
    texts = dict(session.sql(f"select document, text from ({DOCUMENTS})").fetchall())
    assert texts == {
        ITEM: "Aaaa bbbb. Cc. Dddd eeee ffff.",
        "f/ITEM_1A": "Aaaa  bbbb.",
        "f/ITEM_7A": "An excerpt stands in a sentence.",
        "f/ITEM_8": "Gggg acc. hhhh. Cc. h",
    }


def test_sentences_stand_in_the_place_of_their_chunk_and_keep_their_first(session, tmp_path):
    """The better chunk first, by score or by rank; a sentence of both stands once; a row's fault costs no other."""
    chunks = [{"start": 11, "end": 30, "score": 0.5}, {"start": 0, "end": 14, "score": 0.9}]
    path = lines(tmp_path, *({"query_id": "q", "document": ITEM} | chunk for chunk in chunks))
    assert {row["sentence_id"]: row["rank"] for row in load(session, path)} == {"s0": 1, "s1": 2, "s2": 3}
    by_rank = [{"start": 11, "end": 30, "rank": 1}, {"start": 0, "end": 14, "rank": 2}]
    path = lines(tmp_path, *({"query_id": "q", "document": ITEM} | chunk for chunk in by_rank))
    assert {row["sentence_id"]: row["rank"] for row in load(session, path)} == {"s1": 1, "s2": 2, "s0": 3}
    faults = [{"query_id": "q", "document": ITEM, "rank": 1}, {"document": ITEM, "text": "x", "rank": 1}]
    faults.append({"query_id": "r", "error": "503"})
    path = lines(tmp_path, {"query_id": "q", "document": ITEM, "start": 0, "end": 10, "rank": 1}, *faults)
    told = [(row["query_id"], row["sentence_id"], row["reason"], row["error"]) for row in load(session, path)]
    assert told == [
        ("q", "s0", None, None),
        ("q", None, "malformed_row", None),
        (None, None, "malformed_row", None),
        ("r", None, None, "503"),
    ]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Acme Corp. | 2020 | Item 7\nbbbb. Cc. Dddd eeee ffff.", (5, 30)),  # 22 of 41 letters
        ("Aaaa bbbb. Cc. Dddd eeee ffff. (page 3 of 90)", (0, 30)),
        ("Acme Corp. | the annual report of 2020 | Item 7\nbbbb. Cc. Dddd eeee ffff.", None),  # under half
        ("Item 7. Dddd eeee ffff.", None),  # 12 letters are too few
    ],
)
def test_a_text_with_a_title_is_where_the_rest_of_it_stands(session, text, place):
    session.execute("create temp view documents as select distinct filing_id, document from placed")
    session.execute("create temp view placed_sentences as from placed")
    documents = Documents(session)
    meant = documents.named("f")
    assert documents.place_of(text, meant, {}) is None
    assert documents.part_of(text, meant) == (place and (ITEM, *place))


def test_a_text_that_a_query_has_again_is_the_next_place(session, tmp_path):
    hit = {"document": "f", "text": "Aaaa bbbb."}
    asked = [("q", 1), ("q", 2), ("r", 1), ("q", 3)]
    rows = load(session, lines(tmp_path, *({"query_id": query, "rank": rank} | hit for query, rank in asked)))
    # of the third there is no other place: a sentence keeps its first
    assert [(row["query_id"], row["sentence_id"], row["rank"]) for row in rows] == [
        ("q", "r0", 1),
        ("q", "s0", 2),
        ("r", "r0", 1),
    ]


@pytest.mark.parametrize(
    ("numbers", "ranks"),
    [
        # ranks decide where any row has no score
        ([{"rank": 1, "score": 0.2}, {"rank": 2}, {"rank": 3, "score": 0.9}], [1, 2, 3]),
        ([{"rank": 1, "score": 0.2}, {"rank": 2, "score": 0.5}, {"rank": 3, "score": 0.9}], [3, 2, 1]),
        ([{"score": "0.9"}, {"score": "0.5"}, {"score": "7e-1"}], [1, 3, 2]),
        ([{"rank": "3"}, {"rank": 1.0}, {"rank": "2"}], [3, 1, 2]),
        # those that cannot be placed cost themselves
        ([{"score": 0.5}, {"score": 1e39}, {"score": 0.7}], [2, "bad_score", 1]),
        ([{"score": 0.5}, {}, {"score": True}], [1, "no_score_or_rank", "bad_score"]),
        ([{"score": 0.5}, {"rank": 1}, {"rank": 1.5}], [1, "missing_score", "bad_rank"]),
    ],
)
def test_chunks_stand_in_the_order_that_sentences_would(session, tmp_path, numbers, ranks):
    spans = [{"start": 0, "end": 10}, {"start": 11, "end": 14}, {"start": 15, "end": 30}]
    chunks = [{"query_id": "q", "document": ITEM} | span | stated for span, stated in zip(spans, numbers, strict=True)]
    assert [row["reason"] or row["rank"] for row in load(session, lines(tmp_path, *chunks))] == ranks
    hits = [{"query_id": "q", "sentence_id": name} | stated for name, stated in zip("abc", numbers, strict=True)]
    path = lines(tmp_path, *hits)
    usable, rejected = in_order(read_file(str(path)), ["query_id"])
    placed = {name: rank for rank, name in enumerate(usable.sort("order_key")["sentence_id"], start=1)}
    placed |= dict(rejected.select("sentence_id", "reason").rows())
    assert [placed[name] for name in "abc"] == ranks


def test_parquet_may_hold_chunks_and_a_file_of_faults_stops_the_build(session, tmp_path):
    path = tmp_path / "mine.parquet"
    pl.DataFrame({"query_id": ["q"], "document": [ITEM], "start": [0], "end": [10], "score": [1.0]}).write_parquet(path)
    assert is_of_chunks(str(path))
    assert [(row["sentence_id"], row["rank"]) for row in load(session, path)] == [("s0", 1)]
    spans = {"start": [0.0, float("nan")], "end": [10.0, float("nan")], "score": [1.0, float("nan")]}
    pl.DataFrame({"query_id": ["q", "q"], "document": [ITEM, ITEM]} | spans).write_parquet(path)
    assert [(row["sentence_id"], row["reason"]) for row in load(session, path)] == [
        ("s0", None),
        (None, "malformed_row"),
    ]
    with pytest.raises(FinragError, match=r"none of its 1 rows is one of hits. Row 1: without start and end"):
        load(session, lines(tmp_path, {"query_id": "q", "document": ITEM}))


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ({"text": ""}, "neither letters nor digits"),
        ({"text": " . "}, "neither letters nor digits"),
        ({"start": 0, "end": "1e400"}, "without start and end"),
        ({"start": 0, "end": 1e30}, "without start and end"),
        ({"start": -(2**62), "end": 2**62}, "without start and end"),
    ],
)
def test_a_place_that_is_none_is_told_with_its_row(session, tmp_path, place, said):
    rows = [{"document": ITEM, "start": 0, "end": 10}, {"document": ITEM, "start": 11, "text": "Cc."}]
    rows.append({"document": ITEM} | place)
    path = lines(
        tmp_path, *({"query_id": "q", "score": score} | row for score, row in zip((3, 2, 1), rows, strict=True))
    )
    path.write_text(path.read_text(encoding="utf-8").replace('"1e400"', "1e400"), encoding="utf-8")
    [first, second, told] = load(session, path)
    assert [(row["sentence_id"], row["reason"]) for row in (first, second)] == [("s0", None), ("s1", None)]
    assert told["reason"] == "malformed_row" and said in told["detail"]


def test_hits_that_are_sentences_are_read_as_ever(session, tmp_path):
    path = lines(tmp_path, {"query_id": "q", "sentence_id": "s0", "score": 1.0, "text": "Aaaa bbbb."})
    assert not is_of_chunks(str(path)) and not is_of_chunks(str(tmp_path / "none.jsonl"))
    assert [(row["sentence_id"], row["score"]) for row in load(session, path)] == [("s0", 1.0)]
