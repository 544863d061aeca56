"""Chunkings: where chunks begin and end, chunks that were cut elsewhere, and what questions find in them."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
import pytrec_eval

from databases import in_memory
from finrag.chunking.brought import read_brought
from finrag.chunking.corpus import chosen_chunkings, cut_corpus
from finrag.chunking.cuts import Chunking, Piece
from finrag.errors import FinragError
from warehouses import ROOT, Warehouse

# Six sentences of 11, 11, 11, 7, 7 and 11 characters, at 0, 12, 24, 36, 44 and 52.
TEXTS = {
    "Heading one": "heading",
    "Aaaa bbbbb.": "prose",
    "Cccc ddddd.": "prose",
    "Row 1 2": "table_row",
    "Row 3 4": "table_row",
    "Eeee fffff.": "prose",
}
TEXT = " ".join(TEXTS)

# What a build of the same corpus and questions with other chunkings makes.
OF_CHUNKS = (
    *("--select", "int_chunks", "int_embedded_texts", "int_chunk_index", "int_chunking_runs", "int_chunk_hits"),
    *("int_chunk_sentences", "chunking_items", "int_chunking_metric_values"),
)


def pieces() -> list[Piece]:
    found, start = [], 0
    for text, kind in TEXTS.items():
        found.append(Piece(start, start + len(text), kind))
        start += len(text) + 1
    return found


def cut(name: str, size: int | None = None, overlap: int = 0) -> list[str]:
    chunking = Chunking("c", name, size, overlap, has_header=False)
    return [TEXT[start:end] for start, end in chunking.spans(TEXT, pieces())]


@pytest.mark.parametrize(
    ("name", "size", "overlap", "chunks"),
    [
        ("sentences", 1, 0, list(TEXTS)),
        ("sentences", 4, 2, ["Heading one Aaaa bbbbb. Cccc ddddd. Row 1 2", "Cccc ddddd. Row 1 2 Row 3 4 Eeee fffff."]),
        ("sentences", 9, 0, [TEXT]),
        # 20 characters: words that fit, and of the overlap of 4 the words that begin in it
        ("tokens", 5, 0, ["Heading one Aaaa", "bbbbb. Cccc ddddd.", "Row 1 2 Row 3 4 Eeee", "fffff."]),
        ("tokens", 5, 1, ["Heading one Aaaa", "Aaaa bbbbb. Cccc", "Cccc ddddd. Row 1 2", "1 2 Row 3 4 Eeee",
                          "Eeee fffff."]),
        ("tokens", 5, 2, ["Heading one Aaaa", "one Aaaa bbbbb. Cccc", "Cccc ddddd. Row 1 2", "Row 1 2 Row 3 4 Eeee",
                          "3 4 Eeee fffff."]),
        # a word that is longer than a chunk is cut
        ("tokens", 1, 0, ["Head", "ing", "one", "Aaaa", "bbbb", "b.", "Cccc", "dddd", "d.", "Row", "1 2", "Row", "3 4",
                          "Eeee", "ffff", "f."]),
        ("recursive", 6, 0, ["Heading one Aaaa bbbbb.", "Cccc ddddd. Row 1 2", "Row 3 4 Eeee fffff."]),
        # a sentence that is longer than a chunk is cut at its words
        ("recursive", 2, 0, ["Heading", "one", "Aaaa", "bbbbb.", "Cccc", "ddddd.", "Row 1 2", "Row 3 4", "Eeee",
                             "fffff."]),
        # the table with the sentence before it, however long that is
        ("tables", 6, 0, ["Heading one Aaaa bbbbb.", "Cccc ddddd. Row 1 2 Row 3 4", "Eeee fffff."]),
        ("items", None, 0, [TEXT]),
    ],
)  # fmt: skip
def test_where_chunks_begin_and_end(name, size, overlap, chunks):
    assert cut(name, size, overlap) == chunks


def test_a_heading_begins_a_chunk():
    found = [Piece(0, 4), Piece(5, 9, "heading"), Piece(10, 14, "heading"), Piece(15, 19)]
    text = "aaaa hhhh iiii bbbb"
    chunking = Chunking("c", "recursive", 100, 0, has_header=False)
    assert [text[slice(*span)] for span in chunking.spans(text, found)] == ["aaaa", "hhhh iiii bbbb"]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (("words", 5, 0), "cut is 'words'. Allowed: sentences, tokens, recursive, tables, items."),
        (("tokens", None, 0), "size is None. Allowed: a whole number from 1 on."),
        (("tokens", 5, 5), "overlap is 5. Allowed: 0 to less than its size, 5."),
        (("recursive", 5, 1), "overlap is 1. Allowed: 0; the cuts with an overlap are sentences, tokens."),
    ],
)
def test_a_chunking_that_cannot_be_says_why(row, said):
    with pytest.raises(FinragError, match=r"^Chunking mine: ") as told:
        Chunking("mine", *row, has_header=False)
    assert str(told.value).endswith(said)


@pytest.fixture
def session():
    """Filing f with item 7 (TEXTS) and item 1A (one sentence)."""
    with in_memory() as connection:
        connection.execute(
            "create table given (sentence_id text, section_id text, sentence_pos int, sentence_text text, kind text)"
        )
        rows = [(f"s{place}", "ITEM_7", place, text, kind) for place, (text, kind) in enumerate(TEXTS.items())]
        connection.executemany(
            "insert into given values (?, ?, ?, ?, ?)", [*rows, ("r0", "ITEM_1A", 0, "Risks exist.", "prose")]
        )
        connection.execute(
            "create table sentences as select sentence_id, 'f' as filing_id, section_id, sentence_pos, sentence_text, "
            "kind as sentence_kind, md5(lower(sentence_text)) as text_hash from given"
        )
        placed = (ROOT / "models/retrieval/int_placed_sentences.sql").read_text(encoding="utf-8")
        connection.execute("create table placed as " + placed.replace("{{ ref('fct_sentences') }}", "sentences"))
        connection.execute(
            "create table held as select document, 'f' as filing_id, 1 as cik, 2020 as report_year, "
            "any_value(section_id) as section_id, max(start_at + size) as size, '[Acme | 2020 | Item 7]' as entity_tag "
            "from placed group by document"
        )
        path = ROOT / "seeds/chunkings.csv"
        connection.execute(f"create table chunkings as from read_csv('{path}')")
        yield connection


def brought(session, tmp_path: Path, *rows: dict, name: str = "mine") -> list[dict]:
    path = tmp_path / "chunks.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    tables = {"placed_sentences": session.table("placed"), "documents": session.table("held")}
    return read_brought(session, f"{name}={path}", ["sentences"], **tables).to_dicts()


def test_chunks_by_place_and_by_text(session, tmp_path):
    rows = brought(
        session,
        tmp_path,
        {"document": "f/ITEM_7", "start": 12, "end": 35},
        {"document": "f/ITEM_7", "start": 12, "end": 23, "text": "About b: Aaaa bbbbb."},
        # blanks and capitals aside, in any item of the filing
        {"document": "f", "text": "aaaa  BBBBB.\nCccc"},
        {"document": "f", "text": "risks exist."},
    )
    assert [(row["document"], row["start_at"], row["end_at"], row["chunk_text"], row["reason"]) for row in rows] == [
        ("f/ITEM_7", 12, 35, "Aaaa bbbbb. Cccc ddddd.", None),
        ("f/ITEM_7", 12, 23, "About b: Aaaa bbbbb.", None),
        ("f/ITEM_7", 12, 28, "Aaaa bbbbb. Cccc", None),
        ("f/ITEM_1A", 0, 12, "Risks exist.", None),
    ]


def test_chunks_that_are_none_say_why(session, tmp_path):
    rows = brought(
        session,
        tmp_path,
        {"document": "f/ITEM_7", "start": 0, "end": 11},
        {"document": "f/ITEM_7", "start": 0, "end": 11, "text": "again"},
        {"document": "f/ITEM_7", "start": 60, "end": 99},
        {"document": "f/ITEM_9", "start": 0, "end": 1},
        {"document": "f", "start": 0, "end": 1},
        {"document": "f", "text": "stands nowhere"},
        {"document": "f/ITEM_7", "start": 4},
        {"text": "Aaaa"},
        {"document": "f/ITEM_7", "start": 0, "end": 1e30},
    )
    assert [row["reason"] for row in rows] == [
        *(None, "repeated_chunk", "outside_document", "unknown_document", "unknown_document"),
        *("text_not_found", "no_place", "no_place", "no_place"),
    ]
    assert rows[2]["detail"] == "60 to 99 of a text of 63 characters"
    with pytest.raises(FinragError, match="gives the name 'sentences', which is a chunking here"):
        brought(session, tmp_path, {"document": "f", "text": "risks exist."}, name="sentences")


def test_a_text_that_is_stated_again_is_its_next_place(session, tmp_path):
    """Row by row, whatever blanks and capitals; beyond the last place it is repeated."""
    rows = brought(
        session, tmp_path, *({"document": "f/ITEM_7", "text": text} for text in ("Row", "row ", "Row", "ROW"))
    )
    assert [(row["start_at"], row["reason"]) for row in rows] == [
        *((36, None), (44, None), (36, "repeated_chunk"), (36, "repeated_chunk")),
    ]
    rows = brought(session, tmp_path, *[{"document": "f", "text": "s"}] * 3)
    assert [(row["document"], row["start_at"], row["reason"]) for row in rows] == [
        *(("f/ITEM_1A", 2, None), ("f/ITEM_1A", 4, None), ("f/ITEM_1A", 9, None)),
    ]


def test_the_corpus_is_cut_by_each_chunking(session, tmp_path):
    rows = brought(
        session,
        tmp_path,
        {"document": "f/ITEM_7", "start": 12, "end": 23, "text": "On b: Aaaa bbbbb."},
        {"document": "f/ITEM_7", "start": 12, "end": 51, "text": "On b."},
    )
    session.execute(
        "create table mine (chunking text, document text, start_at bigint, end_at bigint, chunk_text text, reason text)"
    )
    session.executemany(
        "insert into mine values (?, ?, ?, ?, ?, ?)",
        [
            [row[name] for name in ("chunking", "document", "start_at", "end_at", "chunk_text", "reason")]
            for row in rows
        ],
    )
    chunks = cut_corpus(
        session,
        placed_sentences=session.table("placed"),
        documents=session.table("held"),
        registry=session.table("chunkings"),
        names="items sentences_titled",
        brought=session.table("mine"),
    )
    found = chunks.project("chunking, chunk_id, lead_length, token_count, chunk_text").order("all").fetchall()
    assert found[:3] == [
        ("items", "f/ITEM_1A:0-12", 0, 3, "Risks exist."),
        ("items", "f/ITEM_7:0-63", 0, 16, TEXT),
        ("mine", "f/ITEM_7:12-23", 6, 5, "On b: Aaaa bbbbb."),
    ]
    # the 5 characters are searched, the 39 of the place are read: what earns sentences is what costs
    assert found[3] == ("mine", "f/ITEM_7:12-51", 0, 10, "On b.")
    # 11 characters behind a header of 23
    assert found[5] == ("sentences_titled", "f/ITEM_7:0-11", 23, 9, "[Acme | 2020 | Item 7] Heading one")
    assert len(found) == 4 + 7


def test_a_chunking_that_is_unknown_is_named(session):
    with pytest.raises(FinragError, match=r"names mine\. Allowed: items, recursive_200, .* cuts are sentences, "):
        chosen_chunkings(session.table("chunkings"), "sentences mine")


SAID = {
    "ACME_2020_10Q": [
        *("Net sales of widgets were $12.5 million in the quarter.", "The rise came from dealers in the north."),
        *("Gross margin fell to 31.2 percent because steel was dearer.", "Freight cost more too, as ships were few."),
        *("Debt of $80 million falls due in 2027.", "We paid dividends of $3.1 million to shareholders."),
        *("We employ 1,240 people in four plants.", "The plant in Ohio was closed in May."),
    ],
    "ZINC_2020_10Q": [
        *("Revenue from zinc was $44 million in the quarter.", "Prices of metals fell by a tenth."),
        *("A flood stopped the smelter for nine days.", "The insurer has accepted the claim of $2 million."),
        *("Our credit line of $25 million is unused.", "Two directors left the board in June."),
    ],
}
ASKED = [
    {"id": "a1", "question": "How much dividends did Acme pay to shareholders?", "answer": "$3.1 million"},
    {"id": "a2", "question": "Why did the gross margin of Acme fall?", "answer": "Because steel was dearer"},
    {"id": "z1", "question": "How long was the smelter stopped by the flood?", "answer": "Nine days"},
    {"id": "z2", "question": "How large is the unused credit line?", "answer": "$25 million"},
]
# Chunks of each chunking.
COUNTS = {"mine": 7, "sentences": 14, "tokens_200": 2, "windows_5": 4}
EVIDENCE = [("ACME_2020_10Q", [5]), ("ACME_2020_10Q", [2, 3]), ("ZINC_2020_10Q", [2]), ("ZINC_2020_10Q", [4])]


def test_questions_are_searched_in_chunks(empty: Warehouse):
    """Hits of sentences are the strategy dense's, nDCG and recall trec_eval's, and nothing is done twice."""
    for folder in ("docs", "suites"):
        (empty.project / folder).mkdir()
    for name, said in SAID.items():
        (empty.project / "docs" / f"{name}.txt").write_text("\n\n".join(said), encoding="utf-8")
    rows = [
        asked | {"document": name, "evidence": [SAID[name][place] for place in places]}
        for asked, (name, places) in zip(ASKED, EVIDENCE, strict=True)
    ]
    (empty.project / "suites/own.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    chunks = [
        {"document": name, "text": f"{said[place]} {said[place + 1]}"}
        for name, said in SAID.items()
        for place in range(0, len(said), 2)
    ]
    # rows that are none cost themselves
    chunks += [chunks[0] | {"text": "stands nowhere"}, {"document": "ACME_2020_10Q", "start": 5}]
    (empty.project / "mine.jsonl").write_text("\n".join(map(json.dumps, chunks)), encoding="utf-8")
    settings = {
        **{"corpus": "docs/*", "company_facts": "", "question_suites": "suites/*", "retrieval_regimes": "open"},
        **{"chunkings": "sentences windows_5 tokens_200", "external_chunks": "mine=mine.jsonl"},
        "retrieval_strategies": "dense gold_evidence dense_gold_filings",
    }
    selected = ("--select", "+chunking_comparisons", "+int_chunking_metric_values", "+int_question_hits")
    empty.build(*selected, **settings)
    with kept_open(empty):
        check_what_was_built(empty)
    told = asked_which(empty)
    assert [(tokens, n, evidence) for _, tokens, _, n, evidence, *_ in told] == [
        # the interval of four questions of four clusters that all have their evidence
        (tokens, 4, "1.00 (0.51 to 1.00)") for tokens in (500, 1000, 2000) for _ in COUNTS
    ]  # fmt: skip
    assert {row[6] for row in told if row[2] == "sentences"} == {"what the others are read against"}
    assert {row[7] for row in told} >= {
        "1.00 if 50 % of a sentence count, 1.00 if 75 % of a sentence count, 1.00 if 100 % of a sentence count"
    }

    before = files(empty)
    empty.build(*OF_CHUNKS, **settings)
    assert files(empty) == before and "Embedding" not in empty.output
    assert any("chunks__" in name for name in before)
    # one that is used no more leaves no hits and no values
    empty.build(*OF_CHUNKS, **settings | {"chunkings": "windows_5"})
    assert empty.value("select count(distinct run_id) from retrieval.int_chunk_hits") == 2
    assert empty.value("select count(distinct run_id) from metrics.int_chunking_metric_values") == 2


@contextlib.contextmanager
def kept_open(warehouse: Warehouse) -> Iterator[None]:
    """Many questions by one connection, until dbt writes to the warehouse again."""
    warehouse.keep_open()
    try:
        yield
    finally:
        warehouse.reader.close()
        warehouse.reader = None


def check_what_was_built(empty: Warehouse) -> None:
    counts = dict(empty.rows("select chunking, chunk_count from retrieval.int_chunk_index"))
    assert counts == COUNTS
    rejected = "select reason from retrieval.int_external_chunks where reason is not null order by source_row"
    assert empty.rows(rejected) == [("text_not_found",), ("no_place",)]

    # the same texts by the same vectors
    assert (
        empty.value(
            """
        select count(*) filter (where placed.sentence_id is distinct from dense.sentence_id) || ' of ' || count(*)
        from retrieval.int_chunk_hits as hits
        inner join retrieval.int_chunking_runs as runs using (run_id)
        inner join retrieval.int_chunks as chunks using (chunking, chunk_id)
        inner join retrieval.int_placed_sentences as placed using (document, start_at)
        left join retrieval.int_question_hits as dense
            on dense.query_id = hits.query_id and dense.rank = hits.rank and dense.distance is not null
        where runs.chunking = 'sentences'
        """
        )
        == "0 of 56"
    )

    check_what_is_told(empty)
    for budget in (500, 1000):
        for run_id, chunking in empty.rows("select run_id, chunking from retrieval.int_chunking_runs"):
            check_against_trec_eval(empty, run_id, chunking, budget)

    # of 56 tokens all is read, and of sentences the one that answers stands first or second
    reads = dict(empty.rows("select chunking, min(recall_at_500) from metrics.chunking_items group by all"))
    assert reads == dict.fromkeys(counts, 1)
    assert empty.value("select count(*) from metrics.chunking_comparisons where n_pairs = 4 and p_value is null") > 0
    against = "from metrics.chunking_comparisons where chunking_a = 'sentences'"
    assert empty.rows(f"select distinct k {against} order by k") == [(500,), (1000,), (2000,)]


def check_what_is_told(empty: Warehouse) -> None:
    """The evidence itself comes first; within its filing a search ranks as it does over all."""
    found: dict[tuple[str, str], list[str]] = {}
    for strategy, query_id, sentence_id in empty.rows(
        "select strategy, query_id, sentence_id from retrieval.int_question_hits "
        "inner join retrieval.int_question_runs using (run_id) order by run_id, query_id, rank"
    ):
        found.setdefault((strategy, query_id), []).append(sentence_id)
    gold: dict[str, list[str]] = {}
    for query_id, sentence_id in empty.rows(
        "select query_id, sentence_id from gold.int_p3_gold where gold_predicate = 'evidence' order by sentence_id desc"
    ):
        gold.setdefault(query_id, []).append(sentence_id)
    assert len(gold) == 4
    filing_of = dict(empty.rows("select sentence_id, filing_id from corpus.fct_sentences"))
    for query_id, evidence in gold.items():
        assert found["gold_evidence", query_id] == evidence
        filings = {filing_of[sentence_id] for sentence_id in evidence}
        within = [each for each in found["dense", query_id] if filing_of[each] in filings]
        assert found["dense_gold_filings", query_id] == within
        assert len(within) == len(SAID[filings.pop()])


def check_against_trec_eval(empty: Warehouse, run_id: str, chunking: str, budget: int) -> None:
    gold: dict[str, dict[str, int]] = {}
    for query_id, sentence_id, grade in empty.rows(
        "select query_id, sentence_id, grade from gold.int_p3_gold where gold_predicate = 'evidence'"
    ):
        gold.setdefault(query_id, {})[sentence_id] = int(grade)
    for share in ("0.5", "1"):
        read: dict[str, dict[str, float]] = {}
        for query_id, sentence_id, position in empty.rows(
            "select query_id, sentence_id, position from retrieval.int_chunk_sentences "
            f"where run_id = '{run_id}' and min_coverage = {share} and tokens_needed <= {budget}"
        ):
            read.setdefault(query_id, {})[sentence_id] = -position
        theirs = pytrec_eval.RelevanceEvaluator(gold, {"ndcg", "recall_1000"}).evaluate(read)
        ours = empty.rows(
            f"select query_id, ndcg_at_{budget}, recall_at_{budget} from metrics.chunking_items "
            f"where run_id = '{run_id}' and gold_window = '{share}' and is_covered"
        )
        assert len(ours) == len(gold)
        for query_id, ndcg, recall in ours:
            wanted = theirs.get(query_id, {"ndcg": 0, "recall_1000": 0})
            assert (ndcg, recall) == pytest.approx((wanted["ndcg"], wanted["recall_1000"])), (chunking, query_id)


def asked_which(empty: Warehouse) -> list[tuple]:
    """What the analysis says; values stand beside their runs as in metrics.metric_values_by_run."""
    done = empty.dbt("compile", "--quiet", "--select", "which_chunking")
    assert done.returncode == 0, empty.output
    compiled = empty.target / "compiled/finrag/analyses/which_chunking.sql"
    with duckdb.connect(str(empty.database)) as connection:
        connection.execute(
            "create view metrics.metric_values_by_run as "
            "select 'chunking' as task, runs.chunking as system, found.* "
            "from metrics.int_chunking_metric_values as found "
            "inner join retrieval.int_chunking_runs as runs using (run_id)"
        )
        told = connection.sql(compiled.read_text(encoding="utf-8")).fetchall()
        connection.execute("drop view metrics.metric_values_by_run")
    return told


def files(empty: Warehouse) -> dict[str, int]:
    """Indexes on disk, with the time of their last change; vectors are put together by the next build."""
    return {str(path): path.stat().st_mtime_ns for path in empty.lance.glob("sentences/*.lance/data/*")}
