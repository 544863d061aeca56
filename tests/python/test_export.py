"""What leaves the warehouse for other retrievers: queries, gold and corpus, as their tools read them."""

from __future__ import annotations

import json
import os

import duckdb
import pytest
import pytrec_eval

from databases import in_memory
from finrag.errors import FinragError
from finrag.search import export


@pytest.fixture
def warehouse(tmp_path, monkeypatch):
    """Two queries of p1, one of p2; s3 is gold of p1's first query, and p1's second has none."""
    database = tmp_path / "warehouse.duckdb"
    with duckdb.connect(str(database)) as connection:
        connection.execute("create schema gold")
        connection.execute("create schema corpus")
        connection.execute(
            "create table gold.retrieval_queries as select * from (values"
            " ('p1', 'p1:s1', 's1', 'One \"quoted\"\ttab,\nline', 'f1', 1, 2020, 'ITEM_7', 'Sales', '10-K'),"
            " ('p1', 'p1:s2', 's2', 'Two – dash', 'f1', 1, 2020, 'ITEM_7', null, '10-K'),"
            " ('p2', 'p2:s3', 's3', 'Three', 'f1', 1, 2020, 'ITEM_7', null, '10-K'))"
            " as q(suite, query_id, sentence_id, query_text, filing_id, cik, report_year, section_id, section_heading,"
            " form_type)"
        )
        connection.execute(
            "create table gold.retrieval_gold as select * from (values"
            " ('p1', 'p1:s1', '5', 'positional', 's3', 1), ('p1', 'p1:s1', '5', 'positional', 's2', 2))"
            " as g(suite, query_id, gold_window, gold_predicate, sentence_id, grade)"
        )
        connection.execute(
            "create table gold.int_query_gold_counts as select * from (values ('p1', '5', 'positional'),"
            " ('p1', '5', 'content'), ('p2', 'adaptive', 'positional')) as c(suite, gold_window, gold_predicate)"
        )
        connection.execute(
            "create table corpus.fct_sentences as select unnest(['s3', 's1', 's2']) as sentence_id, 'text' as"
            " sentence_text, 'hash' as text_hash, 0 as sentence_pos, 'f1' as filing_id, 1 as cik, 'A' as company_name,"
            " 2020 as report_year, 'ITEM_7' as section_id, null::varchar as section_heading"
        )
        connection.execute("create table corpus.dim_filings as select 'f1' as filing_id, '10-K' as form_type")
    monkeypatch.setenv("FINRAG_DATABASE", str(database))
    monkeypatch.setenv("FINRAG_EXPORTS", str(tmp_path / "it's exports"))
    return tmp_path / "it's exports"


def test_queries_carry_text_and_filter_columns(warehouse, capsys):
    export.export("queries")
    lines = (warehouse / "queries" / "p1.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[0]) == {
        "query_id": "p1:s1",
        "query_text": 'One "quoted"\ttab,\nline',
        "suite": "p1",
        "sentence_id": "s1",
        "filing_id": "f1",
        "cik": 1,
        "report_year": 2020,
        "section_id": "ITEM_7",
        "section_heading": "Sales",
        "form_type": "10-K",
    }
    assert len(lines) == 2
    assert 'make build HITS="mine@open=' in capsys.readouterr().out


def test_topics_are_one_line_each_without_quotes(warehouse):
    export.export("queries")
    topics = (warehouse / "queries" / "p1.tsv").read_text(encoding="utf-8")
    assert topics == 'p1:s1\tOne "quoted" tab, line\np1:s2\tTwo – dash\n'


@pytest.mark.parametrize("begins", ["=", "+", "-", "@", "\t=", "\r="])
def test_a_formula_stays_the_text_that_it_is(warehouse, begins):
    """Retrievers are to embed what the filing says, so nothing is put before it; and no file is one of a spreadsheet.

    In the files of lines a text stands behind its query's id, so that no line begins with it.
    """
    formula = f'{begins}HYPERLINK("http://planted.invalid")'
    with duckdb.connect(os.environ["FINRAG_DATABASE"]) as connection:
        for table, column in (("gold.retrieval_queries", "query_text"), ("corpus.fct_sentences", "sentence_text")):
            connection.execute(f"update {table} set {column} = ?", [formula])
    export.export("queries")
    export.export("corpus")
    written = {path for path in warehouse.rglob("*") if path.is_file() and path.name != export.NOTE}
    assert {path.suffix for path in written} == {".jsonl", ".tsv", ".qrels", ".parquet"}
    queries = (warehouse / "queries" / "p1.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["query_text"] for line in queries] == [formula] * 2
    with in_memory() as connection:
        path = str(warehouse / "corpus.parquet")
        assert connection.execute("select distinct sentence_text from read_parquet(?)", [path]).fetchall() == [
            (formula,)
        ]
    for path in written:
        if path.suffix in (".tsv", ".qrels"):
            lines = path.read_text(encoding="utf-8").splitlines()
            assert all(line.startswith(("p1:", "p2:")) for line in lines)


def test_qrels_are_what_trec_eval_reads(warehouse):
    export.export("queries")
    with open(warehouse / "qrels" / "p1.5.positional.qrels", encoding="utf-8") as stream:
        assert pytrec_eval.parse_qrel(stream) == {"p1:s1": {"s2": 2, "s3": 1}}
    empty = [path for path in (warehouse / "qrels").iterdir() if path.stat().st_size == 0]
    assert sorted(path.name for path in empty) == ["p1.5.content.qrels", "p2.adaptive.positional.qrels"]


def test_files_of_an_earlier_export_are_gone_and_those_of_others_stay(warehouse):
    export.export("queries")
    with duckdb.connect(os.environ["FINRAG_DATABASE"]) as connection:
        connection.execute("update gold.int_query_gold_counts set gold_window = '9' where gold_window = '5'")
    others = [warehouse / name for name in ("mine.trec", "queries/mine.jsonl", "queries/my.tsv", "qrels/my.qrels")]
    for path in others:
        path.write_text("mine", encoding="utf-8")
    export.export("queries")
    assert {path.name for path in (warehouse / "qrels").iterdir()} == {
        "p1.9.content.qrels",
        "p1.9.positional.qrels",
        "p2.adaptive.positional.qrels",
        "my.qrels",
    }
    assert all(path.read_text(encoding="utf-8") == "mine" for path in others)
    assert not list(warehouse.glob(".partial-*"))


@pytest.mark.parametrize(
    "error",
    [
        OSError(28, "No space left on device"),
        duckdb.IOException('IO Error: Cannot open file "/exports/corpus.parquet": No space left on device'),
        duckdb.IOException(
            'IO Error: Async write failed for range [offset=27, size=400938]: {"exception_type":"IO",'
            '"exception_message":"Could not write file \\"/e/a.parquet\\": No space left on device","errno":"28"}'
        ),
    ],
)
@pytest.mark.parametrize("what", ["queries", "corpus"])
def test_an_export_that_fails_leaves_what_was_there(warehouse, monkeypatch, what, error):
    export.export(what)
    before = {path: path.read_bytes() for path in warehouse.rglob("*") if path.is_file()}

    def fail(_connection, folder):
        (folder / "half.parquet").write_bytes(b"PAR")
        raise error

    monkeypatch.setattr(export, f"export_{what}", fail)
    with pytest.raises(FinragError) as told:
        export.export(what)
    assert str(told.value) == (
        f"{warehouse} cannot be written: No space left on device. What was there is as it was. Free space there, "
        "or name another folder in FINRAG_EXPORTS."
    )
    assert {path: path.read_bytes() for path in warehouse.rglob("*") if path.is_file()} == before


def test_the_corpus_holds_every_sentence_once(warehouse):
    export.export("corpus")
    rows = duckdb.execute("select sentence_id, form_type from read_parquet(?)", [str(warehouse / "corpus.parquet")])
    assert rows.fetchall() == [("s1", "10-K"), ("s2", "10-K"), ("s3", "10-K")]


def test_spaced_ids_are_pointed_out(warehouse, capsys, monkeypatch):
    with duckdb.connect(str(warehouse.parent / "warehouse.duckdb")) as connection:
        connection.execute("update corpus.fct_sentences set sentence_id = 's 1' where sentence_id = 's1'")
    export.export("queries")
    assert "1 sentence ids hold spaces" in capsys.readouterr().out


def test_what_users_can_get_wrong(warehouse, monkeypatch, tmp_path):
    monkeypatch.setenv("FINRAG_DATABASE", str(tmp_path / "none.duckdb"))
    with pytest.raises(FinragError, match=r"no warehouse at .*make build"):
        export.export("queries")
    duckdb.connect(str(tmp_path / "old.duckdb")).close()
    monkeypatch.setenv("FINRAG_DATABASE", str(tmp_path / "old.duckdb"))
    with pytest.raises(FinragError, match=r"holds no gold sets"):
        export.export("queries")
