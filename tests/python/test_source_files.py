"""Files that cannot be loaded are named with what was expected, and the others still load."""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
from pathlib import Path

import duckdb
import pytest

from finrag.corpus import sources
from finrag.errors import FinragError

SENTENCE = {
    "cik": "0000000042",
    "name": "Example Co",
    "report_year": 2020,
    "docID": "0000000042_10-K_2020",
    "sentenceID": "0000000042_10-K_2020_section_7_0",
    "section_name": "MD&A",
    "section_item": "item_7",
    "sentence_index": 0,
    "sentence": "Revenue rose to $2.3 billion.",
}
FILING = {
    "cik": "43",
    "company": "Filing Co",
    "filing_type": "10-K",
    "filing_date": "2021-02-01",
    "period_of_report": "2020-12-31",
    "filename": "43_10K_2020_0000000043-21-000001.htm",
    "item_1": "ITEM 1. BUSINESS\nWe make things.",
    "item_7": "ITEM 7.\nOverview\nRevenue was $5 million. It rose 3%.",
    "item_8": "",
}
LAYOUTS = [
    sources.Layout("finsights", "sentence", ("docID", "sentenceID", "sentence", "section_name", "report_year"), ""),
    sources.Layout("edgar_crawler", "filing", ("cik", "company", "filing_type", "filing_date"), r"item_\d+[abc]?"),
]


def jsonl(path: Path, *rows: dict) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def connection():
    with duckdb.connect() as connection:
        yield connection


def inspect(connection, path: Path) -> sources.SourceFile:
    return sources.inspect(connection, str(path), LAYOUTS, {})


def test_layouts_are_recognised_by_their_columns(connection, tmp_path):
    assert inspect(connection, jsonl(tmp_path / "a.jsonl", SENTENCE)).layout == "finsights"
    filing = tmp_path / "filing.json"
    filing.write_text(json.dumps(FILING, indent=2), encoding="utf-8")
    assert inspect(connection, filing).layout == "edgar_crawler"
    zipped = tmp_path / "a.jsonl.gz"
    zipped.write_bytes(gzip.compress(json.dumps(SENTENCE).encode()))
    assert inspect(connection, zipped).layout == "finsights"
    connection.execute(f"copy (select * from read_json('{tmp_path}/a.jsonl')) to '{tmp_path}/a.parquet'")
    connection.execute(f"copy (select * from read_json('{tmp_path}/a.jsonl')) to '{tmp_path}/a.csv' (header)")
    for name in ("a.parquet", "a.csv"):
        file = inspect(connection, tmp_path / name)
        assert (file.layout, file.row_count, file.status) == ("finsights", 1, "loaded")


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("truncated.jsonl", (json.dumps(SENTENCE) + "\n" + json.dumps(SENTENCE)[:50]).encode(), "not readable as json"),
        ("truncated.json", json.dumps(FILING).encode()[:-40], "not readable as json"),
        ("latin1.jsonl", json.dumps(SENTENCE).encode().replace(b"rose", b"r\xf6se"), "not readable as json"),
        ("empty.json", b"", "the file is empty"),
        ("columns.jsonl", b'{"text": "hello"}\n', "unknown layout: its columns are text"),
        ("header_only.csv", ",".join(SENTENCE).encode() + b"\n", "the file has no rows"),
        ("ragged.csv", ",".join(SENTENCE).encode() + b"\n1,2,3\n", "not readable as csv"),
        ("notes.txt", b"hello", "not a supported format"),
        ("broken.parquet", b"PAR1 not really PAR1", "not readable as parquet"),
    ],
)
def test_bad_files_are_rejected_with_what_was_expected(connection, tmp_path, name, content, why):
    path = tmp_path / name
    path.write_bytes(content)
    file = inspect(connection, path)
    assert file.status == "rejected" and file.layout is None
    assert file.reason.startswith(why), file.reason
    assert "Expected" in file.reason


def test_a_damaged_parquet_page_is_found_before_anything_is_loaded(connection, tmp_path):
    path = tmp_path / "a.parquet"
    texts = [hashlib.sha256(str(n).encode()).hexdigest() for n in range(5000)]
    jsonl(tmp_path / "a.jsonl", *[SENTENCE | {"sentence": text} for text in texts])
    connection.execute(f"copy (select * from read_json('{tmp_path}/a.jsonl')) to '{path}' (compression zstd)")
    damaged = bytearray(path.read_bytes())
    quarter = len(damaged) // 4
    damaged[quarter : 3 * quarter] = bytes(2 * quarter)
    path.write_bytes(damaged)
    file = inspect(connection, path)
    assert file.status == "rejected" and file.reason.startswith("not readable as parquet")


def test_unchanged_files_are_not_read_again(connection, tmp_path):
    path = jsonl(tmp_path / "a.jsonl", SENTENCE)
    before = inspect(connection, path)
    before.fingerprint = "kept"
    assert sources.inspect(connection, str(path), LAYOUTS, {str(path): before}).fingerprint == "kept"
    jsonl(path, SENTENCE, SENTENCE)
    assert sources.inspect(connection, str(path), LAYOUTS, {str(path): before}).fingerprint != "kept"


def test_a_path_that_matches_nothing_is_one_clear_error(connection):
    with pytest.raises(FinragError, match=r"CORPUS path 'no/such/\*\.json' matches no file"):
        sources.expand(connection, "no/such/*.json", "")
    with pytest.raises(FinragError, match="CORPUS is empty"):
        sources.expand(connection, " ", "")
    with pytest.raises(FinragError, match="FACTS path"):
        sources.expand(connection, "demo", "no_such_facts.parquet")


def test_a_directory_stands_for_its_supported_files(connection, tmp_path):
    jsonl(tmp_path / "a.jsonl", SENTENCE)
    (tmp_path / "deep").mkdir()
    jsonl(tmp_path / "deep" / "b.json", SENTENCE)
    (tmp_path / "readme.md").write_text("no corpus")
    files, facts = sources.expand(connection, str(tmp_path), "")
    assert [Path(file).name for file in files] == ["a.jsonl", "b.json"]
    assert facts == []


def test_remote_paths_are_read_through_fsspec(connection, tmp_path):
    """memory:// stands in for hf:// and s3://, which need a network: the same registration, glob and readers."""
    import fsspec

    fsspec.filesystem("memory").pipe("/corpus/a.jsonl", (json.dumps(SENTENCE) + "\n").encode())
    files, _ = sources.expand(connection, "memory://corpus/*.jsonl", "")
    assert len(files) == 1
    file = sources.inspect(connection, files[0], LAYOUTS, {})
    assert (file.status, file.layout, file.row_count) == ("loaded", "finsights", 1)


def test_good_files_load_beside_bad_ones(empty, tmp_path):
    folder = tmp_path / "files"
    folder.mkdir()
    jsonl(folder / "good.jsonl", SENTENCE)
    (folder / "filing.json").write_text(json.dumps(FILING), encoding="utf-8")
    (folder / "cut.json").write_text(json.dumps(FILING)[:80], encoding="utf-8")
    (folder / "empty.jsonl").write_bytes(b"")
    empty.build("--select", "+fct_sentences", corpus=empty.linked("corpus", *folder.iterdir()), company_facts="")
    assert "Source files left out" in empty.output
    assert "corpus/cut.json: not readable as json" in empty.output
    loaded = empty.rows("select filing_id, count(*) from corpus.fct_sentences group by all order by all")
    assert [row[0] for row in loaded] == ["0000000042_10-K_2020", "0000000043_10-K_2020"]
    assert empty.rows("select reason, section_label from corpus.rejected_rows") == [("empty_text", "item_8")]


def test_a_corpus_of_bad_files_only_is_an_error(empty, tmp_path):
    (tmp_path / "cut.json").write_text('{"cik": ', encoding="utf-8")
    corpus = empty.linked("corpus", tmp_path / "cut.json")
    done = empty.dbt("build", "--select", "+fct_sentences", corpus=corpus, company_facts="")
    assert done.returncode != 0
    assert "None of the 1 corpus files can be loaded" in empty.output


def test_every_bad_row_is_kept_with_its_reason(empty, tmp_path):
    rows = [
        SENTENCE,
        SENTENCE | {"sentence": "The same id again."},
        SENTENCE | {"sentenceID": "x_1", "sentence": "  "},
        SENTENCE | {"sentenceID": "x_2", "section_item": "item_99"},
        SENTENCE | {"sentenceID": "x_3", "report_year": "soon"},
        SENTENCE | {"sentenceID": "x_4", "cik": "n/a"},
        SENTENCE | {"sentenceID": "x", "sentence_index": None},
        SENTENCE | {"sentenceID": "0000000042_10-K_2020_section_7_9", "sentence_index": 9},
    ]
    empty.build(
        "--select",
        "+fct_sentences",
        corpus=empty.linked("corpus", jsonl(tmp_path / "rows.jsonl", *rows)),
        company_facts="",
    )
    assert empty.rows("select source_row, reason from corpus.rejected_rows order by 1") == [
        (2, "duplicate_sentence_id"),
        (3, "empty_text"),
        (4, "unknown_section"),
        (5, "unparsable_year"),
        (6, "missing_cik"),
        (7, "missing_position"),
    ]
    assert empty.value("select count(*) from corpus.fct_sentences") == 2


def test_one_copy_supplies_a_filing_whole(empty, tmp_path):
    """Two splitters cut differently, so the sentences of two copies must never mix; a sample yields to a full text."""
    filing_id = "0000000043_10-K_2020"
    text = "Revenue was five million dollars. It rose three per cent over the year before."
    full = [
        SENTENCE
        | {
            "cik": "43",
            "docID": filing_id,
            "sentenceID": f"{filing_id}_section_7_{n}",
            "sentence_index": n,
            "sentence": f"{text} {n}",
        }
        for n in range(3)
    ]
    filing = tmp_path / "filing.json"
    filing.write_text(json.dumps(FILING | {"item_7": text}), encoding="utf-8")
    sampled = jsonl(tmp_path / "sampled.jsonl", full[0] | {"sentence": "Short."})
    corpus = empty.linked("corpus", filing, jsonl(tmp_path / "full.jsonl", *full))
    empty.build("--select", "+fct_sentences", corpus=corpus, company_facts="")
    assert empty.rows("select distinct source from corpus.fct_sentences") == [("finsights",)]
    empty.build("--select", "+fct_sentences", corpus=empty.linked("corpus", filing, sampled), company_facts="")
    assert empty.rows("select distinct source from corpus.fct_sentences") == [("edgar_crawler",)]
    assert empty.rows("select reason from corpus.rejected_rows where source = 'finsights'") == [("duplicate_filing",)]
    shutil.copy(filing, tmp_path / "again.json")
    empty.build(
        "--select", "+fct_sentences", corpus=empty.linked("corpus", filing, tmp_path / "again.json"), company_facts=""
    )
    assert empty.value("select count(*) - count(distinct sentence_id) from corpus.fct_sentences") == 0
    assert (
        empty.value("select count(distinct file_path) from corpus.rejected_rows where reason = 'duplicate_filing'") == 1
    )


def test_rows_are_numbered_as_they_stand_in_their_file(empty, tmp_path):
    """Rejected rows are found again by their number, so it must not depend on threads, other files or the format."""
    rows = [
        SENTENCE | {"sentenceID": f"id_{n}", "sentence_index": n, "sentence": f"Sentence {n}. " + "x" * (n % 300)}
        for n in range(30_000)
    ]
    for n in (7, 29_998):
        rows[n]["sentence"] = " "
    for name in ("a", "b"):
        corpus = [row | {"sentenceID": f"{name}_{row['sentence_index']}", "docID": f"{name}_2020"} for row in rows]
        jsonl(tmp_path / f"{name}.jsonl", *corpus)
    with duckdb.connect() as connection:
        source = f"read_json('{tmp_path}/b.jsonl', columns = {dict.fromkeys(SENTENCE, 'VARCHAR')})"
        connection.execute(f"copy (select * from {source}) to '{tmp_path}/b.csv' (header)")
    (tmp_path / "b.jsonl").unlink()
    empty.build("--select", "+fct_sentences", corpus=empty.linked("corpus", *tmp_path.glob("?.*")), company_facts="")
    assert empty.rows("select filing_id, source_row, reason from corpus.rejected_rows order by all") == [
        ("a_2020", 8, "empty_text"),
        ("a_2020", 29_999, "empty_text"),
        ("b_2020", 8, "empty_text"),
        ("b_2020", 29_999, "empty_text"),
    ]
    assert empty.value("select count(*) from corpus.fct_sentences") == 59_996
    assert empty.value("select count(*) from corpus.int_sentence_rows where source_row != 1 + sentence_pos") == 0


NAMES = {"cik": "CIK number", "company": "issuer", "item_1": "item1", "item_7": "mdna"}


def renamed(filing: dict) -> dict:
    return {NAMES.get(name, name): value for name, value in filing.items()}


def test_a_layout_that_is_not_known_is_mapped_by_names(connection, tmp_path):
    path = jsonl(tmp_path / "a.jsonl", renamed(FILING))
    assert "corpus.columns in finrag.toml" in inspect(connection, path).reason
    mapped = sources.inspect(connection, str(path), LAYOUTS, {}, NAMES)
    assert (mapped.status, mapped.layout) == ("loaded", "edgar_crawler")
    again = sources.inspect(connection, str(path), LAYOUTS, {str(path): mapped}, NAMES)
    assert again is mapped
    other = sources.inspect(connection, str(path), LAYOUTS, {str(path): mapped}, NAMES | {"item_8": "financials"})
    assert other.fingerprint != mapped.fingerprint, "under other names its rows are others"
    assert sources.inspect(connection, str(path), LAYOUTS, {str(path): mapped}, {}).status == "rejected"


def test_mapped_files_of_every_format_hold_the_same_sentences(empty, tmp_path, connection):
    """Beside a file with the layout's own names; an object, rows of JSON, CSV and Parquet."""
    folder = tmp_path / "theirs"
    folder.mkdir()
    filings = [FILING | {"cik": str(number), "filename": f"{number}_10K_2020_x.htm"} for number in range(1, 6)]
    jsonl(folder / "own.jsonl", filings[0])
    (folder / "object.json").write_text(json.dumps(renamed(filings[1]), indent=1), encoding="utf-8")
    jsonl(folder / "rows.jsonl", renamed(filings[2]), renamed(FILING | {"cik": "9", "item_7": ""}))
    for number, ending in ((3, "csv"), (4, "parquet")):
        rows = jsonl(tmp_path / f"{ending}.jsonl", renamed(filings[number]))
        connection.execute(f"copy (from read_json('{rows}')) to '{folder}/{ending}.{ending}'")
    corpus = empty.linked("corpus", *folder.iterdir())
    empty.build("--select", "+fct_sentences", corpus=corpus, corpus_columns=NAMES, company_facts="")
    assert empty.rows("select status, count(*) from corpus.source_files group by all") == [("loaded", 5)]
    held = empty.rows(
        "select list(cik order by cik), company_name, section_id, sentence_text from corpus.fct_sentences "
        "where cik <> 9 group by all order by all"
    )
    assert len(held) == 3 and {tuple(ciks) for ciks, *_ in held} == {(1, 2, 3, 4, 5)}
    assert {company for _, company, _, _ in held} == {"Filing Co"}


def test_many_files_with_one_fault_are_one_line(connection, tmp_path):
    files = [inspect(connection, jsonl(tmp_path / f"{number}.jsonl", {"a": 1})) for number in range(3)]
    (tmp_path / "odd.txt").write_text("x")
    files.append(inspect(connection, tmp_path / "odd.txt"))
    lines = sources.faults(files)
    assert len(lines) == 2
    assert lines[0].startswith(f"3 files, such as {tmp_path}/0.jsonl: unknown layout: its columns are a.")
    assert lines[1].startswith(f"{tmp_path}/odd.txt: not a supported format")
