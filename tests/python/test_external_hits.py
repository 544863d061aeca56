"""Hits of one's own retriever: what files may hold, what is reported, and where each sentence ends up."""

from __future__ import annotations

import gzip
import json
import random
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import pytrec_eval

from databases import in_memory, insert, name_of
from finrag.errors import FinragError
from finrag.inputs import hits as files
from finrag.inputs.setting import NamedFile
from finrag.search import external

REGIMES = {"filtered": "cik report_year section_id", "open": ""}
STRATEGIES = ["dense", "bm25", "hybrid"]
GRAMMAR = replace(files.GRAMMAR, taken=(STRATEGIES, "a strategy"), regimes=REGIMES)
MAX_K = 5
# Sentences a0 … a9 of one section of filing f1, b0 … b9 of f2. Queries: p1:a0, p1:b0 and p2:a1.
SENTENCES = [(f"a{i}", "f1", 1, 2020, "ITEM_7") for i in range(10)] + [
    (f"b{i}", "f2", 2, 2020, "ITEM_7") for i in range(10)
]
QUERIES = [
    ("p1", "p1:a0", "a0", "f1", 1, 2020, "ITEM_7", "10-K"),
    ("p1", "p1:b0", "b0", "f2", 2, 2020, "ITEM_7", "10-K"),
    ("p2", "p2:a1", "a1", "f1", 1, 2020, "ITEM_7", "10-K"),
]
FORMATS = ("trec", "trec_tabs", "jsonl", "jsonl_gz", "parquet")


@pytest.fixture
def session():
    with in_memory() as connection:
        connection.execute("create table regimes (regime varchar, filter_columns varchar)")
        insert(connection, "regimes", list(REGIMES.items()))
        connection.execute("create table strategies as select unnest(?) as strategy", [STRATEGIES])
        connection.execute(
            "create table sentences (sentence_id varchar, filing_id varchar, cik bigint, report_year integer,"
            " section_id varchar, section_heading varchar)"
        )
        insert(connection, "sentences", [(*row, None) for row in SENTENCES])
        connection.execute("create table filings as select unnest(['f1', 'f2']) as filing_id, '10-K' as form_type")
        connection.execute(
            "create table queries (suite varchar, query_id varchar, sentence_id varchar, filing_id varchar, cik bigint,"
            " report_year integer, section_id varchar, form_type varchar, section_heading varchar)"
        )
        insert(connection, "queries", [(*row, None) for row in QUERIES])
        connection.execute(
            "create table versions as select unnest(['p1', 'p2']) as suite, 'g' as gold_version, 'c' as corpus_version"
        )
        connection.execute("create schema retrieval")
        yield connection


def load(session, setting: str):
    """Read and rank as the dbt models do, and keep their tables as the last build's."""
    seeds = {name: session.table(name) for name in ("regimes", "strategies")}
    placed = session.table("sentences").project("*, 0 as sentence_pos, '' as text_hash")
    read = files.load_hits(
        session, setting, **seeds, sentences=placed, table=f'"{name_of(session)}"."retrieval"."int_external_hits"'
    )
    keep(session, "int_external_hits", read)
    for kind, condition in (("anchor", "true"), ("question", "false")):
        ranked = external.rank_rows(
            session,
            session.table("retrieval.int_external_hits"),
            max_k=MAX_K,
            table=f'"{name_of(session)}"."retrieval"."int_{kind}_external_rows"',
            of_anchors=kind == "anchor",
            # there is no question here
            queries=session.table("queries").filter(condition),
            **{name: session.table(name) for name in ("regimes", "sentences", "filings", "versions")},
        )
        keep(session, f"int_{kind}_external_rows", ranked)
    session.execute(
        "create or replace table retrieval.int_external_rows as"
        " from retrieval.int_anchor_external_rows union all from retrieval.int_question_external_rows"
    )
    return session


def keep(session, name: str, result) -> None:
    session.register("result", result if isinstance(result, pa.Table) else result.to_arrow_table())
    session.execute(f"create or replace table retrieval.{name} as select * from result")


def write(path, form: str, rows: list[dict]):
    """The rows in one of the formats. A key that a row lacks is null, and 0 in a TREC run."""
    if form.startswith("trec"):
        space = "\t" if form == "trec_tabs" else " "
        lines = [
            space.join(
                [row["query_id"], "Q0", row["sentence_id"], str(row.get("rank", 0)), str(row.get("score", 0)), "me"]
            )
            for row in rows
        ]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    elif form == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    elif form == "jsonl_gz":
        path.write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))
    else:
        pq.write_table(pa.Table.from_pylist(rows), path)
    return path


def hits(*rows: tuple) -> list[dict]:
    """(query_id, sentence_id, rank, score), None for what is not stated."""
    names = ("query_id", "sentence_id", "rank", "score")
    return [{name: value for name, value in zip(names, row, strict=True) if value is not None} for row in rows]


def ranking(session, query_id: str) -> list[str]:
    return [
        row[0]
        for row in session.execute(
            "select sentence_id from retrieval.int_external_rows"
            " where kind = 'hit' and query_id = ? and rank is not null order by rank",
            [query_id],
        ).fetchall()
    ]


def problems(session, *columns: str) -> list[tuple]:
    return session.execute(
        f"select {', '.join(columns)} from retrieval.int_external_rows where kind = 'problem' order by all"
    ).fetchall()


def kinds(session) -> set[str]:
    return {row[0] for row in problems(session, "reason")}


COMPLETE = hits(("p1:a0", "a1", 1, 0.9), ("p1:a0", "a2", 2, 0.5), ("p1:b0", "b1", 1, 0.7))


@pytest.mark.parametrize("form", FORMATS)
def test_a_sound_file_has_no_problems(session, tmp_path, form):
    load(session, f"mine={write(tmp_path / 'run', form, COMPLETE)}")
    assert problems(session, "reason") == []
    assert ranking(session, "p1:a0") == ["a1", "a2"]
    assert session.execute(
        "select external_run, regime, suite, query_count, answered_query_count, row_count, hit_count"
        " from retrieval.int_external_rows where kind = 'run'"
    ).fetchall() == [("mine", "open", "p1", 2, 2, 3, 3)]


@pytest.mark.parametrize("form", FORMATS)
def test_scores_decide_then_sentence_id_descending(session, tmp_path, form):
    rows = hits(("p1:a0", "a1", 1, 0.5), ("p1:a0", "a3", 2, 0.5), ("p1:a0", "a2", 3, 0.9), ("p1:b0", "b1", 1, 1.0))
    load(session, f"mine={write(tmp_path / 'run', form, rows)}")
    assert ranking(session, "p1:a0") == ["a2", "a3", "a1"]
    assert problems(session, "reason", "query_id") == [("rank_disagrees_with_score", "p1:a0")]
    assert "In 2 places" in problems(session, "detail")[0][0]


def test_a_disagreement_between_equal_scores_is_told_apart(session, tmp_path):
    rows = hits(("p1:a0", "a1", 1, 0.5), ("p1:a0", "a3", 2, 0.5), ("p1:b0", "b1", 1, 1.0))
    load(session, f"mine={write(tmp_path / 'run', 'trec', rows)}")
    assert "always between equal scores" in problems(session, "detail")[0][0]


def test_scores_are_compared_as_32_bit_floats_as_trec_eval_does(session, tmp_path):
    rows = hits(("p1:a0", "a1", 1, 0.5 + 1e-12), ("p1:a0", "a3", 2, 0.5), ("p1:b0", "b1", 1, 1.0))
    load(session, f"mine={write(tmp_path / 'run', 'jsonl', rows)}")
    assert ranking(session, "p1:a0") == ["a3", "a1"]


def test_the_order_is_that_of_trec_eval(session, tmp_path):
    draw = random.Random(5)
    rows = [("p1:a0", f"{letter}{i}", 0, draw.choice([0.1, 0.2, 0.3, 1 / 3])) for letter in "ab" for i in range(10)]
    load(session, f"mine={write(tmp_path / 'run', 'trec', hits(*rows))}")
    run = {"p1:a0": {sentence: score for _, sentence, _, score in rows if sentence != "a0"}}
    for place, sentence in enumerate(ranking(session, "p1:a0"), start=1):
        evaluator = pytrec_eval.RelevanceEvaluator({"p1:a0": {sentence: 1}}, {"recip_rank"})
        assert evaluator.evaluate(run)["p1:a0"]["recip_rank"] == pytest.approx(1 / place)


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_without_scores_ranks_decide_and_gaps_and_ties_are_reported(session, tmp_path, form):
    rows = hits(
        ("p1:a0", "a4", 7, None),
        ("p1:a0", "a1", 1, None),
        ("p1:a0", "a3", 3, None),
        ("p1:a0", "a2", 3, None),
        ("p1:b0", "b1", 0, None),
        ("p1:b0", "b2", 1, None),
    )
    load(session, f"mine={write(tmp_path / 'run', form, rows)}")
    assert ranking(session, "p1:a0") == ["a1", "a3", "a2", "a4"]
    assert ranking(session, "p1:b0") == ["b1", "b2"]
    assert problems(session, "reason", "query_id", "detail") == [
        ("rank_gap", "p1:a0", "Ranks run from 1 to 7 and 4 are missing; the gaps are closed."),
        ("tied_ranks", "p1:a0", "1 rows share a rank with another; they stand in descending order of sentence id."),
    ]


def test_ranks_that_start_late_have_a_gap_before_them(session, tmp_path):
    rows = hits(("p1:a0", "a1", 3, 0.9), ("p1:a0", "a2", 4, 0.5), ("p1:b0", "b1", 1, 0.7))
    load(session, f"mine={write(tmp_path / 'run', 'trec', rows)}")
    assert problems(session, "reason", "detail") == [
        ("rank_gap", "Ranks run from 3 to 4 and 2 are missing; they are ignored, since the scores decide.")
    ]


@pytest.mark.parametrize("form", FORMATS)
def test_a_repeated_sentence_keeps_its_best_place(session, tmp_path, form):
    rows = hits(("p1:a0", "a1", 1, 0.3), ("p1:a0", "a2", 2, 0.5), ("p1:a0", "a1", 3, 0.9), ("p1:b0", "b1", 1, 0.7))
    load(session, f"mine={write(tmp_path / 'run', form, rows)}")
    assert ranking(session, "p1:a0") == ["a1", "a2"]
    found = problems(session, "reason", "query_id", "sentence_id", "source_row", "detail")
    repeated = [row for row in found if row[0] == "duplicate_sentence"]
    assert [row[:4] for row in repeated] == [("duplicate_sentence", "p1:a0", "a1", 1)]
    assert "of row 3 of" in repeated[0][4]


@pytest.mark.parametrize("form", FORMATS)
def test_an_unknown_sentence_keeps_its_place(session, tmp_path, form):
    rows = hits(("p1:a0", "zz", 1, 0.9), ("p1:a0", "a2", 2, 0.5), ("p1:b0", "b1", 1, 0.7))
    load(session, f"mine={write(tmp_path / 'run', form, rows)}")
    assert ranking(session, "p1:a0") == ["zz", "a2"]
    assert problems(session, "reason", "sentence_id", "source_row") == [("unknown_sentence", "zz", 1)]


@pytest.mark.parametrize("form", FORMATS)
def test_an_unknown_query_is_rejected(session, tmp_path, form):
    rows = [*COMPLETE, *hits(("p1:zz", "a1", 1, 0.9))]
    load(session, f"mine={write(tmp_path / 'run', form, rows)}")
    assert problems(session, "reason", "query_id", "source_row") == [("unknown_query", "p1:zz", 4)]
    assert session.execute("select count(*) from retrieval.int_external_rows where kind = 'hit'").fetchone() == (3,)


@pytest.mark.parametrize("form", FORMATS)
def test_a_query_that_a_covered_suite_lacks_is_reported(session, tmp_path, form):
    load(session, f"mine={write(tmp_path / 'run', form, COMPLETE[:2])}")
    assert problems(session, "reason", "query_id", "file_path") == [("missing_query", "p1:b0", None)]
    assert session.execute(
        "select suite, query_count, answered_query_count from retrieval.int_external_rows where kind = 'run'"
    ).fetchall() == [("p1", 2, 1)]


@pytest.mark.parametrize("score", ["nan", "inf", "-inf", "1e39", "high", "True"])
def test_a_score_that_is_no_finite_number_rejects_its_row(session, tmp_path, score):
    rows = [*COMPLETE, *hits(("p1:a0", "a3", 3, score))]
    load(session, f"mine={write(tmp_path / 'run', 'trec', rows)} json={write(tmp_path / 'lines', 'jsonl', rows)}")
    assert problems(session, "external_run", "reason", "sentence_id") == [
        ("json", "bad_score", "a3"),
        ("mine", "bad_score", "a3"),
    ]
    assert score in problems(session, "detail")[0][0]
    assert ranking(session, "p1:b0") == ["b1", "b1"]


def test_nan_as_python_writes_it_and_as_parquet_holds_it(session, tmp_path):
    rows = [*COMPLETE, *hits(("p1:a0", "a3", 3, float("nan")))]
    paths = [write(tmp_path / form, form, rows) for form in ("jsonl", "parquet")]
    load(session, f"j={paths[0]} p={paths[1]}")
    assert problems(session, "external_run", "reason", "sentence_id", "source_row") == [
        ("j", "bad_score", "a3", 4),
        ("p", "bad_score", "a3", 4),
    ]


def test_ranks_that_are_no_whole_numbers(session, tmp_path):
    rows = [*COMPLETE, *hits(("p1:b0", "b2", "Q", 0.1))]
    load(session, f"mine={write(tmp_path / 'run', 'trec', rows)}")
    assert problems(session, "reason", "sentence_id") == [("bad_rank", "b2")]
    assert ranking(session, "p1:b0") == ["b1", "b2"]
    rows = hits(("p1:a0", "a1", 1, None), ("p1:a0", "a2", 1.5, None), ("p1:b0", "b1", 1, None))
    load(session, f"mine={write(tmp_path / 'lines', 'jsonl', rows)}")
    assert problems(session, "reason", "sentence_id") == [("bad_rank", "a2")]
    assert ranking(session, "p1:a0") == ["a1"]


@pytest.mark.parametrize("rank", [1e300, -1e300, 2**63 - 1])
def test_a_rank_that_no_integer_holds_rejects_its_row(session, tmp_path, rank):
    rows = hits(("p1:a0", "a1", 1, None), ("p1:a0", "a2", rank, None), ("p1:b0", "b1", 1, None))
    load(session, f"mine={write(tmp_path / 'lines', 'jsonl', rows)}")
    assert problems(session, "reason", "sentence_id") == [("bad_rank", "a2")]
    scored = [*COMPLETE, *hits(("p1:b0", "b2", rank, 0.1))]
    load(session, f"mine={write(tmp_path / 'run', 'jsonl', scored)}")
    assert problems(session, "reason", "sentence_id") == [("bad_rank", "b2")]
    assert ranking(session, "p1:b0") == ["b1", "b2"]


def test_rows_without_score_or_rank(session, tmp_path):
    rows = [*COMPLETE, *hits(("p1:b0", "b2", None, None), ("p1:b0", "b3", 2, None), ("p1:a0", "a4", None, 0.95))]
    load(session, f"mine={write(tmp_path / 'run', 'jsonl', rows)}")
    # p1:b0: b1 and b3 have ranks; p1:a0: every row has a score
    assert problems(session, "reason", "sentence_id") == [("no_score_or_rank", "b2")]
    assert ranking(session, "p1:b0") == ["b1", "b3"]
    assert ranking(session, "p1:a0") == ["a4", "a1", "a2"]


def test_scores_decide_where_neither_scores_nor_ranks_are_complete(session, tmp_path):
    rows = hits(("p1:a0", "a1", None, 0.5), ("p1:a0", "a2", 1, None), ("p1:b0", "b1", 1, None))
    load(session, f"mine={write(tmp_path / 'run', 'jsonl', rows)}")
    assert problems(session, "reason", "sentence_id") == [("missing_score", "a2")]
    assert ranking(session, "p1:a0") == ["a1"]


def test_the_query_sentence_is_removed_by_id_and_the_rest_cut(session, tmp_path):
    rows = hits(
        *(("p1:a0", f"a{i}", 0, 1 - i / 10) for i in range(1, 10)), ("p1:a0", "a0", 0, 0.85), ("p1:b0", "b1", 0, 1.0)
    )
    load(session, f"mine={write(tmp_path / 'run', 'trec', rows)}")
    kept = session.execute(
        "select sentence_id, raw_rank, rank, is_query_sentence from retrieval.int_external_rows"
        " where kind = 'hit' and query_id = 'p1:a0' order by raw_rank"
    ).fetchall()
    assert kept == [
        ("a1", 1, 1, False),
        ("a0", 2, None, True),
        ("a2", 3, 2, False),
        ("a3", 4, 3, False),
        ("a4", 5, 4, False),
        ("a5", 6, 5, False),
        ("a6", 7, 6, False),  # beyond the deepest rank measured, to see whether a tie goes on there
    ]


def test_hits_outside_the_filter_of_a_filtered_run_are_reported(session, tmp_path):
    rows = hits(("p1:a0", "b3", 1, 0.9), ("p1:a0", "b4", 2, 0.8), ("p1:a0", "a2", 3, 0.5), ("p1:b0", "b1", 1, 0.7))
    path = write(tmp_path / "run", "trec", rows)
    load(session, f"mine@filtered={path} mine@open={path}")
    assert problems(session, "regime", "reason", "query_id", "sentence_id") == [
        ("filtered", "outside_filter", "p1:a0", "b3")
    ]
    assert ranking(session, "p1:a0") == ["b3", "b3", "b4", "b4", "a2", "a2"]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("p1:a0 Q0 a5 0.5", "4 fields instead of 6: p1:a0 Q0 a5 0.5"),
        ("p1:a0 Q0 a5 1 0.5 me twice", "7 fields instead of 6: p1:a0 Q0 a5 1 0.5 me twice"),
    ],
)
def test_malformed_trec_lines(session, tmp_path, line, fault):
    path = write(tmp_path / "run", "trec", COMPLETE)
    path.write_text(path.read_text(encoding="utf-8") + "\n" + line + "\r\n", encoding="utf-8")
    load(session, f"mine={path}")
    assert problems(session, "reason", "source_row", "detail") == [("malformed_row", 5, fault)]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ('{"query_id": "p1:a0", "sentence_id": ', "not a JSON object"),
        ("[1, 2]", "not a JSON object"),
        ('{"query_id": "p1:a0", "score": 1}', "without sentence_id"),
        ('{"query_id": null, "sentence_id": "", "score": 1}', "without query_id and sentence_id"),
        ('{"query_id": "p1:a0", "sentence_id": "a5", "error": "503"}', "with both sentence_id and error"),
        ('{"error": "503"}', "without query_id"),
        ('{"query_id": "p1:a0", "error": ""}', "without sentence_id"),
    ],
)
def test_malformed_json_lines(session, tmp_path, line, fault):
    path = write(tmp_path / "run", "jsonl", COMPLETE)
    path.write_text(path.read_text(encoding="utf-8") + line + "\n", encoding="utf-8")
    load(session, f"mine={path}")
    [(problem, row, detail)] = problems(session, "reason", "source_row", "detail")
    assert (problem, row) == ("malformed_row", 4)
    assert detail.startswith(fault)


def test_parquet_rows_without_ids(session, tmp_path):
    rows = [*COMPLETE, {"query_id": None, "sentence_id": "a3", "rank": 3, "score": 0.1}]
    load(session, f"mine={write(tmp_path / 'run', 'parquet', rows)}")
    assert problems(session, "reason", "source_row") == [("malformed_row", 4)]


def test_ids_with_spaces_and_quotes(session, tmp_path):
    session.execute("insert into sentences values ('it''s \"one\"; drop', 'f1', 1, 2020, 'ITEM_7', null)")
    rows = [*COMPLETE, *hits(("p1:a0", 'it\'s "one"; drop', 3, 0.1))]
    path = write(tmp_path / "it's a run.tsv", "trec_tabs", rows)
    load(session, f'mine="{path}"')
    assert problems(session, "reason") == []
    assert ranking(session, "p1:a0")[-1] == 'it\'s "one"; drop'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "holds no rows"),
        (b"query_id,sentence_id,score\np1:a0,a1,0.5\n", "none of its 2 rows"),
        (b'[{"query_id": "p1:a0"}]', "none of its 1 rows"),
    ],
)
def test_a_file_that_cannot_be_read_stops_the_build(session, tmp_path, content, message):
    path = tmp_path / "run"
    path.write_bytes(content)
    with pytest.raises(FinragError, match=message) as raised:
        load(session, f"mine={path}")
    assert str(path) in str(raised.value)
    assert "Expected a TREC run" in str(raised.value)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"qid": ["p1:a0"], "docid": ["a1"], "score": [1.0]}, "its columns are qid, docid, score"),
        ({"query_id": ["p1:a0"], "sentence_id": ["a1"]}, "its columns are query_id, sentence_id"),
        ({"query_id": ["p1:a0"], "sentence_id": [["a1"]], "score": [1.0]}, "column sentence_id is of type List"),
        ({"query_id": ["p1:a0"], "sentence_id": ["a1"], "score": [True]}, "column score is of type Boolean"),
        ({"query_id": [1.0], "sentence_id": ["a1"], "score": [1.0]}, "column query_id is of type Float64"),
    ],
)
def test_parquet_of_another_shape_stops_the_build(session, tmp_path, table, message):
    pq.write_table(pa.table(table), tmp_path / "run")
    with pytest.raises(FinragError, match=message):
        load(session, f"mine={tmp_path / 'run'}")


def test_a_run_of_which_nothing_can_be_used_stops_the_build(session, tmp_path):
    good = write(tmp_path / "good", "trec", COMPLETE)
    bad = write(tmp_path / "bad", "trec", hits(("q1", "a1", 1, 0.5), ("q2", "a1", 1, 0.5)))
    with pytest.raises(FinragError, match=r"none of the 2 rows of mine@open can be used.*names query q1.*make export"):
        load(session, f"mine={bad} other={good}")


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("mine", "'mine' without a path"),
        ("mine=", "'mine=' without a path"),
        ("=runs/x", "gives the name ''"),
        ("a/../b=runs/x", "Allowed are letters"),
        ("x';drop=runs/x", "No closing quotation"),
        ('"x;drop"=runs/x', "Allowed are letters"),
        ("Dense=runs/x", "'Dense', which is a strategy"),
        ("mine@world=runs/x", "regime 'world' for mine. Allowed: filtered, open"),
        ("mine@=runs/x", "regime '' for mine"),
        ("mine=runs/none-*.trec", "matches no file"),
    ],
)
def test_settings_that_do_not_fit(setting, message):
    with pytest.raises(FinragError, match=message):
        GRAMMAR.parse(setting)


def test_settings_with_globs_regimes_and_repeats(tmp_path):
    for name in ("a1.trec", "a2.trec", "with space.trec", "odd[1].trec"):
        (tmp_path / name).touch()
    setting = f"m={tmp_path}/a*.trec m@filtered={tmp_path}/a1.trec 'n={tmp_path}/with space.trec' m={tmp_path}/a1.trec"
    assert GRAMMAR.parse(f"{setting} o={tmp_path}/odd[1].trec") == [
        NamedFile("m", f"{tmp_path}/a1.trec", "open"),
        NamedFile("m", f"{tmp_path}/a2.trec", "open"),
        NamedFile("m", f"{tmp_path}/a1.trec", "filtered"),
        NamedFile("n", f"{tmp_path}/with space.trec", "open"),
        NamedFile("o", f"{tmp_path}/odd[1].trec", "open"),
    ]
    assert GRAMMAR.parse("  ") == []


def test_several_files_of_one_run_are_one_run(session, tmp_path):
    first = write(tmp_path / "p1.trec", "trec", COMPLETE)
    second = write(tmp_path / "p2.jsonl", "jsonl", hits(("p2:a1", "a2", 1, None), ("p1:b0", "b1", 1, 0.1)))
    load(session, f"mine={first} mine={second}")
    assert session.execute(
        "select suite, answered_query_count from retrieval.int_external_rows where kind = 'run' order by all"
    ).fetchall() == [("p1", 2), ("p2", 1)]
    assert problems(session, "reason", "file_path") == [("duplicate_sentence", str(second))]


def test_no_setting_gives_an_empty_table_with_every_column(session):
    load(session, "")
    described = session.execute("describe retrieval.int_external_rows").fetchall()
    assert [row[0] for row in described] == list(external.OUTPUT)
    assert session.execute("select count(*) from retrieval.int_external_rows").fetchone() == (0,)


def test_files_are_read_and_ranked_again_only_when_something_changed(session, tmp_path, monkeypatch):
    of_no_anchor = {"query_id": "p3:a", "sentence_id": "a1", "score": 1}
    path = write(tmp_path / "run", "trec", [*COMPLETE, of_no_anchor])
    reads, ranked = [], []
    read_file, rank_hits = files.read_file, external.rank_hits
    monkeypatch.setattr(files, "read_file", lambda path: reads.append(path) or read_file(path))
    monkeypatch.setattr(external, "rank_hits", lambda *given: ranked.append(given) or rank_hits(*given))
    snapshot = "select * from retrieval.int_external_rows order by all"
    before = load(session, f"mine={path}").execute(snapshot).fetchall()
    assert load(session, f"mine={path}").execute(snapshot).fetchall() == before
    # read once, and ranked for the anchors and for the questions in it
    assert (len(reads), len(ranked)) == (1, 2)
    write(path, "trec", [*COMPLETE[:2], of_no_anchor])
    load(session, f"mine={path}")
    assert (len(reads), len(ranked)) == (2, 4)
    session.execute("update versions set gold_version = 'h' where suite = 'p1'")
    load(session, f"mine={path}")
    assert (len(reads), len(ranked)) == (2, 6)
    # of questions it says nothing now
    write(path, "trec", COMPLETE)
    load(session, f"mine={path}")
    assert (len(reads), len(ranked)) == (3, 7)


def test_the_same_hits_in_another_file_are_the_same_run(session, tmp_path):
    checksum = "select suite, content_checksum from retrieval.int_external_rows where kind = 'run'"
    shuffled = random.Random(1).sample(COMPLETE, len(COMPLETE))
    first = load(session, f"mine={write(tmp_path / 'a', 'trec', COMPLETE)}").execute(checksum).fetchall()
    second = load(session, f"mine={write(tmp_path / 'b', 'parquet', shuffled)}").execute(checksum).fetchall()
    other = load(session, f"mine={write(tmp_path / 'c', 'trec', COMPLETE[:2])}").execute(checksum).fetchall()
    assert first == second != other


FAILED = [
    *COMPLETE,
    {"query_id": "p2:a1", "error": "503: overloaded"},
    {"query_id": "p2:a1", "error": "again"},
    {"query_id": "p1:b0", "error": "timeout, then answered"},
    {"query_id": "p9:z", "error": "whose?"},
]


def failed(session) -> list[tuple]:
    rows = "select regime, suite, query_id from retrieval.int_external_rows where kind = 'failed' order by all"
    return session.execute(rows).fetchall()


@pytest.mark.parametrize("form", ["jsonl", "jsonl_gz", "parquet"])
def test_a_query_whose_call_failed_is_no_empty_result(session, tmp_path, form):
    """Parquet has the columns of all rows: sentence_id is null where there is an error, and the other way round."""
    columns = dict.fromkeys([*COMPLETE[0], "error"])
    load(session, f"mine={write(tmp_path / 'run', form, [columns | row for row in FAILED])}")
    assert failed(session) == [("open", "p2", "p2:a1")]
    # staging.input_problems takes every row that has a reason
    with_reason = "select distinct kind from retrieval.int_external_rows where reason is not null"
    assert session.execute(with_reason).fetchall() == [("problem",)]
    assert session.execute(
        "select suite, query_count, answered_query_count, failed_query_count, row_count"
        " from retrieval.int_external_rows where kind = 'run' order by all"
    ).fetchall() == [("p1", 2, 2, 0, 4), ("p2", 1, 0, 1, 2)]
    is_error = "the query is an error (n_error), in no value."
    assert problems(session, "reason", "query_id", "source_row", "detail")[:3] == [
        ("failed_query", "p1:b0", 6, "The call failed (timeout, then answered), and other rows answer it: they count."),
        ("failed_query", "p2:a1", 4, f"The call failed (503: overloaded): {is_error}"),
        ("failed_query", "p2:a1", 5, f"The call failed (again): {is_error}"),
    ]
    assert problems(session, "reason", "query_id", "source_row")[3:] == [("unknown_query", "p9:z", 7)]


def test_failures_beside_a_trec_run_stand_in_a_file_of_their_own(session, tmp_path):
    run = write(tmp_path / "run.trec", "trec", COMPLETE[:2])
    lost = write(tmp_path / "lost.jsonl", "jsonl", [{"query_id": "p1:b0", "error": {"code": 503}}])
    load(session, f"mine={run} mine={lost}")
    assert failed(session) == [("open", "p1", "p1:b0")]
    assert problems(session, "reason", "detail") == [
        ("failed_query", 'The call failed ({"code": 503}): the query is an error (n_error), in no value.')
    ]


def test_a_run_of_failures_only_is_a_run(session, tmp_path):
    pq.write_table(pa.table({"query_id": ["p1:a0", "p1:b0"], "error": ["503", "503"]}), tmp_path / "run")
    load(session, f"mine={tmp_path / 'run'}")
    assert failed(session) == [("open", "p1", "p1:a0"), ("open", "p1", "p1:b0")]
    unknown = write(tmp_path / "unknown", "jsonl", [{"query_id": "q1", "error": "503"}])
    with pytest.raises(FinragError, match=r"none of the 1 rows of mine@open can be used.*names query q1"):
        load(session, f"mine={unknown}")


def test_which_queries_failed_is_part_of_what_a_run_is(session, tmp_path):
    checksum = "select content_checksum from retrieval.int_external_rows where kind = 'run'"
    lost = {"query_id": "p1:b0", "error": "503"}
    without = load(session, f"mine={write(tmp_path / 'a', 'jsonl', COMPLETE[:2])}").execute(checksum).fetchall()
    one = load(session, f"mine={write(tmp_path / 'b', 'jsonl', [*COMPLETE[:2], lost])}").execute(checksum).fetchall()
    reworded = [*COMPLETE[:2], lost | {"error": "500"}]
    other = load(session, f"mine={write(tmp_path / 'c', 'jsonl', reworded)}").execute(checksum).fetchall()
    assert without != one == other


@pytest.mark.parametrize("form", FORMATS)
def test_a_ranking_written_out_and_read_back_is_the_same(session, tmp_path, form):
    """A dense ranking with ties, as retrieval.int_anchor_hits holds it: score descending, then id descending."""
    draw = random.Random(11)
    dense = {}
    for query_id in ("p1:a0", "p1:b0", "p2:a1"):
        scored = [(f"{letter}{i}", draw.choice([0.25, 0.5, 0.75, 0.875])) for letter in "ab" for i in range(10)]
        scored = [(sentence, score) for sentence, score in scored if sentence != query_id[3:]]
        by_id = sorted(scored, key=lambda pair: pair[0], reverse=True)
        dense[query_id] = sorted(by_id, key=lambda pair: -pair[1])
    rows = [
        (query_id, sentence, place, score)
        for query_id, ranked in dense.items()
        for place, (sentence, score) in enumerate(ranked, start=1)
    ]
    load(session, f"mine={write(tmp_path / 'run', form, hits(*draw.sample(rows, len(rows))))}")
    assert problems(session, "reason") == []
    for query_id, ranked in dense.items():
        assert ranking(session, query_id) == [sentence for sentence, _ in ranked[: MAX_K + 1]]


def test_hits_of_which_no_sentence_is_known_stop_the_build_and_one_that_is_does_not(session, tmp_path):
    """Ids of another corpus, or of its own chunks: each figure would be 0."""
    file = tmp_path / "mine.trec"
    lines = [f"p1:a0 Q0 chunk-{i} {i} {1 / i} mine" for i in range(1, 4)]
    file.write_text("\n".join(lines))
    with pytest.raises(FinragError, match=r"mine@open has 3 rows, and 0 % of .* like 'chunk-1', .* like 'a0'"):
        load(session, f"mine@open={file}")
    file.write_text("\n".join([*lines, "p2:a1 Q0 a2 4 0.1 mine"]))
    load(session, f"mine@open={file}")
    unknown = "select count(*) from retrieval.int_external_rows where reason = 'unknown_sentence'"
    assert session.sql(unknown).fetchall() == [(3,)]


def test_an_array_of_json_is_read_as_its_objects_a_line(session, tmp_path):
    path = tmp_path / "mine.json"
    path.write_text(
        '[\n {"query_id": "p1:a0", "query_id": "x"},\n {"query_id": "p1:a0", "sentence_id": "a1", "score": 0.9},\n'
        ' {"query_id": "p1:a0", "sentence_id": "a2", "score": NaN}, 7]'
    )
    load(session, f"mine={path}")
    assert ranking(session, "p1:a0") == ["a1"]
    told = [(row, reason) for reason, row in problems(session, "reason", "source_row") if reason != "missing_query"]
    assert sorted(told) == [(1, "malformed_row"), (3, "bad_score"), (4, "malformed_row")]


def test_a_column_of_parquet_that_holds_nothing_may_be_of_floats(session, tmp_path):
    columns = {"query_id": ["p1:a0"], "sentence_id": ["a1"], "score": [0.5], "error": [float("nan")]}
    pq.write_table(pa.table(columns), tmp_path / "mine.parquet")
    load(session, f"mine={tmp_path / 'mine.parquet'}")
    assert ranking(session, "p1:a0") == ["a1"]
    pq.write_table(pa.table(columns | {"query_id": [1.5]}), tmp_path / "mine.parquet")
    with pytest.raises(FinragError, match="query_id is of type Float64, where texts or whole numbers are allowed"):
        load(session, f"mine={tmp_path / 'mine.parquet'}")


def test_scores_that_turn_every_list_over_stop_the_build(session, tmp_path):
    """Distances: rank 1 has the least of them. One query that does not, or fewer queries, is a disagreement as any."""
    session.executemany(
        "insert into queries values ('p1', ?, 'a0', 'f1', 1, 2020, 'ITEM_7', '10-K', null)",
        [[f"p1:q{number}"] for number in range(10)],
    )
    rows = [(f"p1:q{number}", f"a{rank}", rank, rank / 10) for number in range(10) for rank in (1, 2, 3)]
    path = tmp_path / "run"
    with pytest.raises(FinragError, match=r"in all 10 queries of mine@open .* Write distances with a minus"):
        load(session, f"mine={write(path, 'trec', hits(*rows))}")
    for fewer in (rows[:-3], [*rows, ("p1:a0", "a1", 1, 0.9), ("p1:a0", "a2", 2, 0.1)]):
        load(session, f"mine={write(path, 'trec', hits(*fewer))}")
        assert "rank_disagrees_with_score" in kinds(session)
    load(session, f"mine={write(path, 'trec', hits(*((*row[:3], -row[3]) for row in rows)))}")
    assert "rank_disagrees_with_score" not in kinds(session)
