"""Hits that are spans or chunks of documents stand for the sentences in them."""

from __future__ import annotations

import hashlib
import json

import polars as pl
import pytest

from databases import in_memory, insert
from finrag.errors import FinragError
from finrag.inputs.hits import load_hits, read_file
from finrag.inputs.item_texts import Documents
from finrag.inputs.order import in_order
from finrag.search import external
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
TYPES = dict.fromkeys(("query_id", "sentence_id", "rank_text", "score_text", "error", "reason", "detail"), pl.String)
TYPES |= {"rank": pl.Float64, "score": pl.Float32, "place": pl.Int32}


@pytest.fixture
def session():
    with in_memory() as connection:
        connection.execute("create schema corpus; create schema retrieval")
        connection.execute(
            "create table corpus.fct_sentences (sentence_id varchar, filing_id varchar, cik bigint, report_year int,"
            " section_id varchar, sentence_pos int, sentence_text varchar, text_hash varchar, sentence_kind varchar)"
        )
        insert(
            connection,
            "corpus.fct_sentences",
            [
                (name, "f", 1, 2020, item, place, text, hashlib.md5(text.lower().encode()).hexdigest(), "prose")
                for name, item, place, text in SENTENCES
            ],
        )
        placed = (ROOT / "models/retrieval/int_placed_sentences.sql").read_text(encoding="utf-8")
        connection.execute(
            "create table placed as " + placed.replace("{{ ref('fct_sentences') }}", "corpus.fct_sentences")
        )
        connection.execute("create table regimes as select 'open' as regime")
        connection.execute("create table strategies as select 'dense' as strategy")
        yield connection


def load(session, *paths) -> list[dict]:
    relations = {name: session.table(name) for name in ("regimes", "strategies")}
    sentences = session.table("placed")
    setting = " ".join(f"mine@open={path}" for path in paths)
    table = load_hits(session, setting, **relations, table="retrieval.none", sentences=sentences)
    rows = (table if hasattr(table, "to_pylist") else table.to_arrow_table()).to_pylist()
    return sorted(rows, key=lambda row: (row["file_number"], row["source_row"], row["place"] or 0))


def ranked(session, *paths, reasons: bool = False) -> list[tuple]:
    """query_id, sentence_id, rank and score of the hits, in their order; and with reasons what is wrong with rows."""
    rows = pl.DataFrame(load(session, *paths), schema_overrides=TYPES, infer_schema_length=None)
    suite = {"suite": "p3", "query_sentence_id": None, "cik": 1}
    queries = pl.DataFrame(
        [suite | {"query_id": name} for name in "qr"], schema_overrides={"query_sentence_id": pl.String}
    )
    known = pl.DataFrame({"sentence_id": [name for name, *_ in SENTENCES]})
    faults = external.as_problems(rows.filter(pl.col("reason").is_not_null()))
    rows = rows.filter(pl.col("reason").is_null()).drop("reason", "detail")
    _, hits, _, problems = external.rank_hits(rows, faults, queries, known, {"open": []}, max_k=30)
    found = hits.sort("query_id", "rank").select("query_id", "sentence_id", "rank", "score").rows()
    told = problems.sort("source_row", "reason").select("query_id", "sentence_id", "reason", "source_row")
    told = told.filter(~pl.col("reason").is_in(["unknown_sentence", "missing_query"]))
    return (found, told.rows()) if reasons else found


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
    path = lines(tmp_path, {"query_id": "q", "document": ITEM, "score": 1.0} | place)
    assert [(row["sentence_id"], row["place"], row["reason"]) for row in load(session, path)] == [
        (name, number, None) for number, name in enumerate(ids, start=1)
    ]
    assert [row[1:3] for row in ranked(session, path)] == [(name, rank) for rank, name in enumerate(ids, start=1)]


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
    assert [row[1] for row in ranked(session, path)] == ["s0", "s1", "s2"]
    by_rank = [{"start": 11, "end": 30, "rank": 1}, {"start": 0, "end": 14, "rank": 2}]
    path = lines(tmp_path, *({"query_id": "q", "document": ITEM} | chunk for chunk in by_rank))
    assert [row[1] for row in ranked(session, path)] == ["s1", "s2", "s0"]
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


# Of one system: whole, cut at a sentence, and cut at a chunk.
SHARDS = [
    {"document": ITEM, "start": 0, "end": 14, "score": 0.9, "rank": 1},
    {"sentence_id": "u0", "score": 0.8, "rank": 2},
    {"document": ITEM, "start": 15, "end": 30, "score": 0.7, "rank": 3},
    {"sentence_id": "t0", "document": None, "score": 0.6, "rank": 4},
    {"sentence_id": None, "document": "f", "text": "Aaaa bbbb.", "score": 0.5, "rank": 5},
    {"document": "f", "text": "aaaa bbbb.", "score": 0.4, "rank": 6},
]


@pytest.mark.parametrize("left_out", ["none", "score", "rank"])
@pytest.mark.parametrize(
    "files", [[[0, 1, 2, 3, 4, 5]], [[3, 2, 5], [0, 4, 1]], [[1, 3], [5, 2, 4, 0]], [[4, 5], [0, 2], [1, 3]]]
)
def test_sentences_and_chunks_of_one_system_are_ordered_together_in_whatever_files(session, tmp_path, files, left_out):
    rows = [{name: value for name, value in row.items() if name != left_out} for row in SHARDS]
    paths = [tmp_path / f"{number}.jsonl" for number in range(len(files))]
    for path, held in zip(paths, files, strict=True):
        path.write_text("\n".join(json.dumps({"query_id": "q"} | rows[int(place)]) for place in held), encoding="utf-8")
    found, told = ranked(session, *paths, reasons=True)
    # s0 stands in the first chunk already, whichever of the two texts is the second place of it
    assert [row[1] for row in found] == ["s0", "s1", "u0", "s2", "t0", "r0"]
    assert told == []


def test_sentences_and_chunks_may_stand_in_one_parquet_file(session, tmp_path):
    path = tmp_path / "mine.parquet"
    pl.DataFrame([{"query_id": "q"} | row for row in SHARDS], infer_schema_length=None).write_parquet(path)
    assert [row[1] for row in ranked(session, path)] == ["s0", "s1", "u0", "s2", "t0", "r0"]


def test_a_row_of_a_chunk_is_told_and_counted_once(session, tmp_path):
    """Three sentences of one row have one rank, and chunks overlap: neither is a problem."""
    whole, part = {"document": ITEM, "start": 0, "end": 30}, {"document": ITEM, "start": 0, "end": 14}
    rows = [whole | {"query_id": "q", "rank": 1, "score": 0.9}, part | {"query_id": "q", "rank": 2, "score": 0.8}]
    assert ranked(session, lines(tmp_path, *rows), reasons=True)[1] == []
    rows += [whole | {"query_id": "x", "score": 1}, whole | {"query_id": "q"}, whole | {"query_id": "r", "score": "x"}]
    rows += [part | {"query_id": "q", "rank": 1.5, "score": 0.7}]
    rows += [{"query_id": "r", "rank": 1, "score": 0.1} | whole, {"query_id": "r", "rank": 1, "score": 0.2} | part]
    assert ranked(session, lines(tmp_path, *rows), reasons=True)[1] == [
        ("x", None, "unknown_query", 3),
        ("q", None, "no_score_or_rank", 4),
        ("r", None, "bad_score", 5),
        ("q", None, "bad_rank", 6),
        ("r", "s2", "rank_disagrees_with_score", 7),
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
    found = ranked(session, lines(tmp_path, *({"query_id": query, "rank": rank} | hit for query, rank in asked)))
    # of the third there is no other place: a sentence keeps its first
    assert [row[:3] for row in found] == [("q", "r0", 1), ("q", "s0", 2), ("r", "r0", 1)]


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
    found, told = ranked(session, lines(tmp_path, *chunks), reasons=True)
    placed = {f"s{row - 1}": reason for *_, reason, row in told} | {name: rank for _, name, rank, _ in found}
    assert [placed[name] for name in ("s0", "s1", "s2")] == ranks
    hits = [{"query_id": "q", "sentence_id": name} | stated for name, stated in zip("abc", numbers, strict=True)]
    path = lines(tmp_path, *hits)
    usable, rejected = in_order(read_file(str(path)), ["query_id"])
    placed = {name: rank for rank, name in enumerate(usable.sort("order_key")["sentence_id"], start=1)}
    placed |= dict(rejected.select("sentence_id", "reason").rows())
    assert [placed[name] for name in "abc"] == ranks


def test_parquet_may_hold_chunks_and_a_file_of_faults_stops_the_build(session, tmp_path):
    path = tmp_path / "mine.parquet"
    pl.DataFrame({"query_id": ["q"], "document": [ITEM], "start": [0], "end": [10], "score": [1.0]}).write_parquet(path)
    assert ranked(session, path) == [("q", "s0", 1, 1.0)]
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
        # as of chunks that are brought: no character is in them
        ({"start": 5, "end": 5}, "not before its end"),
        ({"start": 9, "end": 5}, "not before its end"),
        ({"start": -1, "end": 5}, "below 0"),
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
    assert [(row["sentence_id"], row["score"]) for row in load(session, path)] == [("s0", 1.0)]


def test_chunks_of_equal_score_are_equals_and_sentences_of_one_are_not(session, tmp_path):
    """The score tells equals in metrics.retrieval_items. Equal chunks stand in the order of the files, behind ids."""
    first, rest = {"document": ITEM, "start": 0, "end": 14}, {"document": ITEM, "start": 11, "end": 30}
    rows = [rest | {"score": 0.5}, first | {"score": 0.5}, {"sentence_id": "u0", "score": 0.5}]
    rows.append({"document": "f/ITEM_8", "start": 0, "end": 21, "score": 0.25})
    found = ranked(session, lines(tmp_path, *({"query_id": "q"} | row for row in rows)))
    assert [(name, score) for _, name, _, score in found] == [
        *(("u0", 0.5), ("s1", 0.5), ("s2", 0.5), ("s0", 0.5)),
        # the first sentence of the last chunk, u0, stands above; the next has its score
        *(("u1", 0.25), ("u2", None)),
    ]
    # one that another begins with is no other order
    found = ranked(session, lines(tmp_path, *({"query_id": "q", "score": 0.5} | row for row in (first, first))))
    assert [(name, score) for _, name, _, score in found] == [("s0", 0.5), ("s1", None)]
