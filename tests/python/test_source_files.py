"""Files that cannot be loaded are named with what was expected, and the others still load."""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import os
import shlex
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from subprocess import CompletedProcess

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from documents import all_text
from finrag.build import unchanged
from finrag.corpus import sources
from finrag.corpus.layouts import Layout
from finrag.corpus.paths import expand
from finrag.errors import FinragError
from finrag.inputs import answers
from warehouses import ROOT, SEEDS, WITHOUT_TESTS, Warehouse, at_parse, environment, run_dbt

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
HTML = """<html><body><p>FORM 10-K</p><p>For the year ended December 31, 2020</p>
<p>Item 1. Business</p><p>We make widgets.</p>
<p>Item 7. Management's Discussion</p><table><tr><td>Sales</td><td>12</td><td>11</td></tr></table><p>They rose.</p>
<p>Item 8. Financial Statements</p><p>They are incorporated by reference to Exhibit 13.</p></body></html>"""
LAYOUTS = [
    Layout("edgar_html", "filing", (), ""),
    Layout("documents", "filing", (), ""),
    Layout("finsights", "sentence", ("docID", "sentenceID", "sentence", "section_name", "report_year"), ""),
    Layout("edgar_crawler", "filing", ("cik", "company", "filing_type", "filing_date"), r"item_\d+[abc]?"),
]


def jsonl(path: Path, *rows: dict) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def sentence_of(cik: int, place: int = 0, **changes: object) -> dict:
    """A row of SENTENCE's filing, were it that company's, at that place of its item."""
    filing = f"{cik:010d}_10-K_2020"
    ids = {"cik": str(cik), "docID": filing, "sentenceID": f"{filing}_section_7_{place}", "sentence_index": place}
    return SENTENCE | ids | changes


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
        ("truncated.json", json.dumps(FILING).encode()[:-40], "not readable as json"),
        ("empty.json", b"", "the file is empty"),
        ("columns.jsonl", b'{"text": "hello"}\n', "unknown layout: its columns are text"),
        ("header_only.csv", ",".join(SENTENCE).encode() + b"\n", "the file has no rows"),
        ("ragged.csv", ",".join(SENTENCE).encode() + b"\n1,2,3\n", "not readable as csv"),
        ("notes.doc", b"hello", "not a supported format"),
        (
            "excel.csv",
            ";".join(SENTENCE).encode() + b"\n42;1,5\n",
            "parts its columns by semicolons; save it with commas",
        ),
        (
            "tabs.csv.gz",
            gzip.compress("\t".join(SENTENCE).encode(), mtime=0),
            "parts its columns by tabs; save it with commas",
        ),
        ("book.csv", b"PK\x03\x04\x14", "is a zip, as an Excel workbook is; unpack it, or save the sheet as CSV"),
        ("wide.jsonl", json.dumps(SENTENCE).encode("utf-16-le"), "is no UTF-8 text: a zero byte"),
        (
            "old.csv",
            ",".join(SENTENCE).encode() + b"\n1,\xe9\n",
            "not readable as csv: line 2 is no UTF-8 text; save it",
        ),
        ("old.txt", "Caf\u00e9".encode("cp1252"), "is no UTF-8 text: byte 3 is none of it; save it as UTF-8"),
        ("empty_list.json", b"[]", "the file has no rows"),
        ("open.json", b"[" + json.dumps(SENTENCE).encode(), "not readable as json: it is an array that does not end"),
        ("plain.jsonl.gz", (json.dumps(SENTENCE) + "\n").encode(), "not readable as json"),
    ],
)
def test_bad_files_are_rejected_with_what_was_expected(connection, tmp_path, name, content, why):
    path = tmp_path / name
    path.write_bytes(content)
    file = inspect(connection, path)
    assert file.status == "rejected" and file.layout is None
    assert file.reason.startswith(why), file.reason
    assert "Expected" in file.reason or "save it" in file.reason


def of_fields(count: int) -> str:
    return f"{count} fields where the header names 9; a text with a comma in it has to be in quotes"


def test_no_line_of_a_csv_is_left_out(connection, tmp_path):
    """DuckDB guesses what is not stated: that a table begins at a longer line, that # in front makes a comment."""
    header = ",".join(SENTENCE) + "\n"
    row = "42,Co,2020,d,s,MD&A,item_7,0,{}\n"
    texts = {
        "two files.csv": header + row.format("One.") * 3 + header[:-1] + ",form\n" + row.format("Four.,10-K") * 2,
        "a comma.csv": header + row.format("One, two.") + row.format("Three."),
        "late.csv": header + row.format("One.") * 30_000 + row.format("One, two."),
        "note.csv": "# of last year\n" + header + row.format("One."),
        "short.csv": header + "42,Co\n" + row.format("One."),
        "quote.csv": header + row.format('"One.'),
        "blank.csv": "\n" + header + row.format("One."),
        "marked.csv": header + "#" + row.format("One.") + row.format("Two."),
    }
    (tmp_path / "blank.csv.gz").write_bytes(gzip.compress(("\ufeff" + texts["blank.csv"]).encode()))
    found = {"blank.csv.gz": inspect(connection, tmp_path / "blank.csv.gz")}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        found[name] = inspect(connection, tmp_path / name)
    assert (found["marked.csv"].status, found.pop("marked.csv").row_count) == ("loaded", 2)
    # where fields are too many or too few, it is a row's fault
    loaded = {name: found.pop(name) for name in [*found] if found[name].status == "loaded"}
    assert {name: (file.row_count, json.loads(file.unreadable_rows)) for name, file in loaded.items()} == {
        "two files.csv": (6, dict.fromkeys("456", of_fields(10))),
        "a comma.csv": (2, {"1": of_fields(10)}),
        "late.csv": (30_001, {"30001": of_fields(10)}),
        "short.csv": (2, {"1": of_fields(2)}),
    }
    assert {name: file.reason.split(" Expected a complete")[0].split(";")[0] for name, file in found.items()} == {
        "note.csv": "not readable as csv: line 2 has more fields than the first line, whose columns are 1",
        "quote.csv": "not readable as csv: line 2 has a quote that does not end, or ends before the field does.",
        "blank.csv.gz": "begins with a blank line. Expected the names of its columns in the first line.",
        "blank.csv": "begins with a blank line. Expected the names of its columns in the first line.",
    }
    # what another version read otherwise is read again
    file = inspect(connection, tmp_path / "marked.csv")
    assert sources.is_as_before(file, file, LAYOUTS, None)
    file.fingerprint = file.fingerprint.partition(sources.RENAMED)[0]
    assert not sources.is_as_before(file, file, LAYOUTS, None)


def test_what_a_file_lacks_of_the_layout_that_it_is_nearest_to_is_named(connection, tmp_path):
    renamed = {"text" if column == "sentence" else column: value for column, value in SENTENCE.items()}
    file = inspect(connection, jsonl(tmp_path / "a.jsonl", renamed))
    assert file.reason.endswith(
        "Expected for finsights (docID, sentenceID, sentence, section_name, report_year) also sentence. "
        "Other names can be mapped: corpus.columns in finrag.toml."
    )
    items = {column: value for column, value in FILING.items() if not column.startswith("item") and column != "company"}
    assert " also company, one like item_" in inspect(connection, jsonl(tmp_path / "b.jsonl", items)).reason


def test_html_is_recognised_by_its_items(connection, tmp_path):
    path = tmp_path / "a.html"
    path.write_text(HTML, encoding="utf-8")
    file = inspect(connection, path)
    assert (file.layout, file.level, file.row_count, file.status) == ("edgar_html", "filing", 1, "loaded")
    assert "+html-" in file.splitter_version
    # it is no table of facts, and is read from a disk
    assert sources.inspect(connection, str(path), LAYOUTS[2:], {}).reason.startswith("is HTML. Expected")
    remote = sources.SourceFile("memory://a.html", "html", 1, "0")
    assert sources.recognise_whole(remote, LAYOUTS, None).startswith("is HTML that is not here. Expected")
    path.write_text(HTML[:-14], encoding="utf-8")
    assert inspect(connection, path).reason.startswith("does not end")


def test_html_without_items_is_a_document_unless_it_says_that_it_is_a_10_k(connection, tmp_path):
    path = tmp_path / "blog.html"
    path.write_text("<html><body><p>Widgets are blue.</p></body></html>", encoding="utf-8")
    file = inspect(connection, path)
    assert (file.layout, file.level, file.row_count, file.status) == ("documents", "filing", 1, "loaded")
    path.write_text("<html><body><p>FORM 10-K</p><p>Widgets are blue.</p></body></html>", encoding="utf-8")
    assert inspect(connection, path).reason.startswith("is no 10-K whose items can be found")
    path.write_text("<html><body><p> - </p></body></html>", encoding="utf-8")
    assert inspect(connection, path).reason.startswith("the file has no text")


def test_documents_of_one_name_are_copies_only_where_they_are_equal(connection, tmp_path):
    said = {"a": "Sales rose.", "b": "Sales fell.", "c": "Sales rose."}
    for folder, text in said.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "Note.txt").write_text(text, encoding="utf-8")
    # another format may be the same document
    (tmp_path / "c" / "Note.md").write_text("# Sales rose.", encoding="utf-8")
    found = sources.discover(connection, f"{tmp_path}/*/Note.*", "", LAYOUTS, {})
    assert [(Path(file.file_path).parent.name, Path(file.file_path).suffix, file.status) for file in found] == [
        ("a", ".txt", "loaded"),
        ("b", ".txt", "rejected"),
        ("c", ".md", "loaded"),
        ("c", ".txt", "loaded"),
    ]
    assert found[1].reason.startswith(f"has the name of another document, {tmp_path}/a/Note.txt, and other content")


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


def test_what_is_no_file_is_a_row_with_a_reason_and_nothing_hangs(connection, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    good = jsonl(folder / "good.jsonl", SENTENCE)
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "nowhere.jsonl").symlink_to(tmp_path / "gone.jsonl")
    for name in ("round", "about"):
        (folder / name).symlink_to(folder)
    (folder / "itself.jsonl").symlink_to(folder / "itself.jsonl")
    (folder / "a_folder.jsonl").mkdir()
    for pattern in (str(folder), f"{folder}/**/*.jsonl", f"{folder}/*.jsonl"):
        files = [path for path, is_read in expand(connection, pattern, "")[0].items() if is_read]
        found = {Path(path).name: sources.inspect(connection, path, LAYOUTS, {}) for path in files}
        assert set(found) == {"good.jsonl", "pipe.jsonl", "nowhere.jsonl", "itself.jsonl"}
        assert found["good.jsonl"].status == "loaded" and found["good.jsonl"].file_path == str(good)
        assert found["pipe.jsonl"].reason.startswith("is no regular file")
        assert found["nowhere.jsonl"].reason.startswith("cannot be opened: No such file")
        assert found["itself.jsonl"].reason.startswith("cannot be opened: Too many levels of symbolic links")
    with pytest.raises(FinragError, match=r"matches no file"):
        expand(connection, f"{folder}/a_folder.jsonl", "")


def test_names_of_columns_are_those_of_facts_too(connection, tmp_path):
    corpus = jsonl(tmp_path / "a.jsonl", SENTENCE)
    facts = tmp_path / "facts.csv"
    facts.write_text("cik,fy,metric_key,val,unit\n42,2020,revenue,5,USD\n")
    layouts = [*LAYOUTS, Layout("company_facts", "facts", ("cik", "year", "metric_key", "value", "unit"), "")]
    for names, status in (({"value": "val", "year": "fy"}, "loaded"), ({"value": "val"}, "rejected")):
        assert sources.discover(connection, str(corpus), str(facts), layouts, {}, names)[1].status == status


def test_a_name_that_is_no_utf_8_is_a_row_with_a_reason(connection, tmp_path):
    good = jsonl(tmp_path / "good.jsonl", SENTENCE)
    shutil.copy(good, os.fsencode(tmp_path) + b"/caf\xe9.jsonl")
    files = sources.discover(connection, f"{tmp_path}/*.jsonl", "", LAYOUTS, {})
    told = {Path(path).name: reason for path, reason in ((file.file_path, file.reason) for file in files)}
    why = "cannot be opened: its name, or that of a folder above it, is no UTF-8. Rename it."
    assert told == {"caf\\xe9.jsonl": why, "good.jsonl": None}
    assert sources.as_table(files).num_rows == 2
    assert unchanged.digest(unchanged.found_by(f"{tmp_path}/*.jsonl"))
    with pytest.raises(FinragError, match=r"finds '.*caf.*xe9\.jsonl', a name that is no UTF-8\. Rename it\."):
        answers.GRAMMAR.parse(f"mine={tmp_path}/*.jsonl")


def test_unchanged_files_are_not_read_again(connection, tmp_path):
    path = jsonl(tmp_path / "a.jsonl", SENTENCE)
    before = inspect(connection, path)
    before.fingerprint = "kept"
    assert sources.inspect(connection, str(path), LAYOUTS, {str(path): before}).fingerprint == "kept"
    jsonl(path, SENTENCE, SENTENCE)
    assert sources.inspect(connection, str(path), LAYOUTS, {str(path): before}).fingerprint != "kept"


def test_a_path_that_matches_nothing_is_one_clear_error(connection):
    with pytest.raises(FinragError, match=r"CORPUS path 'no/such/\*\.json' matches no file"):
        expand(connection, "no/such/*.json", "")
    with pytest.raises(FinragError, match="CORPUS is empty"):
        expand(connection, " ", "")
    with pytest.raises(FinragError, match="FACTS path"):
        expand(connection, "demo", "no_such_facts.parquet")


def test_a_directory_stands_for_its_supported_files_and_tells_of_the_others(connection, tmp_path, monkeypatch):
    jsonl(tmp_path / "a.jsonl", SENTENCE)
    (tmp_path / "deep").mkdir()
    jsonl(tmp_path / "deep" / "b.json", SENTENCE)
    for name in ("readme.md", "deep/annual_report.txt", "deep/book.xlsx", ".DS_Store"):
        (tmp_path / name).write_text("Item 1. Business", encoding="utf-8")
    elsewhere = tmp_path.parent / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "link").symlink_to(elsewhere)
    files = sources.discover(connection, str(tmp_path), "", LAYOUTS, {})
    reasons = {str(Path(file.file_path).relative_to(tmp_path)): file.reason for file in files}
    assert {name for name, reason in reasons.items() if reason is None} == {"a.jsonl", "deep/b.json"}
    assert "is text" in reasons["readme.md"] and reasons["deep/annual_report.txt"] == reasons["readme.md"]
    assert reasons["deep/book.xlsx"].startswith("not a supported format")
    assert reasons["link"].startswith("is a link to a folder") and len(reasons) == 6
    # what a glob names is read
    files = sources.discover(connection, f"{tmp_path} {tmp_path}/**/*.txt", "", LAYOUTS, {})
    assert [file.status for file in files if file.file_path.endswith("annual_report.txt")] == ["loaded"]
    monkeypatch.setenv("HOME", str(tmp_path.parent))
    assert expand(connection, f"~/{tmp_path.name}", "")[0] == expand(connection, str(tmp_path), "")[0]


def test_a_directory_of_texts_alone_says_how_they_are_named(connection, tmp_path):
    for name in ("1999.txt", "2000.txt"):
        (tmp_path / name).write_text("ITEM 1. BUSINESS", encoding="utf-8")
    with pytest.raises(FinragError, match=r"2 files, such as .*1999\.txt: is text.*such as '<folder>/\*\*/\*.txt'"):
        sources.check_some_load(connection, str(tmp_path), "", LAYOUTS)


def test_a_text_that_a_directory_passes_over_may_stand_under_the_other_setting(connection, tmp_path):
    (tmp_path / "note.txt").write_text("A note.", encoding="utf-8")
    note, facts = str(tmp_path / "note.txt"), str(tmp_path)
    assert expand(connection, note, facts) == ({note: True}, {})
    assert expand(connection, facts, facts) == ({}, {note: False})


def test_remote_paths_are_read_through_fsspec(connection, tmp_path):
    """memory:// stands in for hf:// and s3://, which need a network: the same registration, glob and readers."""
    import fsspec

    fsspec.filesystem("memory").pipe("/corpus/a.jsonl", (json.dumps(SENTENCE) + "\n").encode())
    files, _ = expand(connection, "memory://corpus/*.jsonl", "")
    assert len(files) == 1
    file = sources.inspect(connection, *files, LAYOUTS, {})
    assert (file.status, file.layout, file.row_count) == ("loaded", "finsights", 1)


@pytest.mark.parametrize(
    ("form", "page", "layout"),
    [
        ("10-K", HTML, "edgar_html"),
        # a page of another form, and a text, are documents
        ("8-K", HTML.replace("10-K", "8-K").replace("Item", "Part"), "documents"),
        ("10-K", HTML.replace("<html>", "").replace("</html>", ""), "documents"),
    ],
)
def test_a_submission_in_text_whose_filing_is_html_is_read_as_html(connection, tmp_path, form, page, layout):
    path = tmp_path / "full-submission.txt"
    header = f"<SEC-HEADER>\nCONFORMED SUBMISSION TYPE:\t{form}\n</SEC-HEADER>\n"
    path.write_text(f"{header}<DOCUMENT>\n<TYPE>{form}\n<TEXT>\n{page}\n</TEXT>\n</DOCUMENT>\n", encoding="utf-8")
    file = inspect(connection, path)
    assert (file.layout, file.file_format, file.reason) == (layout, "text", None)


def test_a_corpus_of_bad_files_only_is_an_error(empty, tmp_path):
    (tmp_path / "cut.json").write_text('{"cik": ', encoding="utf-8")
    corpus = empty.linked("corpus", tmp_path / "cut.json")
    done = empty.dbt("build", *WITHOUT_TESTS, "--select", "+source_files", corpus=corpus, company_facts="")
    assert done.returncode != 0
    assert "The corpus file cannot be loaded" in empty.output


def test_a_file_under_both_corpus_and_facts_is_one_clear_error(connection, tmp_path):
    for name in ("a.jsonl", "b.jsonl", "c.jsonl"):
        jsonl(tmp_path / name, SENTENCE)
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "b.jsonl")
    with pytest.raises(FinragError, match=r"1 file stands under both CORPUS and FACTS: .*a\.jsonl\. .*narrow the glob"):
        expand(connection, f"{tmp_path}/[ab].jsonl", f"{tmp_path}/[ac].jsonl")
    with pytest.raises(FinragError, match="under both CORPUS and FACTS"):
        expand(connection, f"{tmp_path}/b.jsonl", f"{tmp_path}/link.jsonl")


def test_a_file_that_is_named_twice_is_read_once(connection, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    jsonl(tmp_path / "a.jsonl", SENTENCE)
    jsonl(tmp_path / "b.jsonl", SENTENCE)
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "b.jsonl")
    files, facts = expand(connection, f"a.jsonl ./a.jsonl {tmp_path}/a.jsonl *.jsonl link.jsonl", "")
    assert [Path(file).name for file in files] == ["a.jsonl", "b.jsonl"] and facts == {}


ODD_NAMES = ("a b.jsonl", "o'neil.jsonl", "a[1].jsonl", "a1.jsonl", "what?.jsonl", "st*r.jsonl", 'qu"ote.jsonl')


def names_of_all_kinds(folder: Path) -> None:
    """Blanks, quotes, what a glob gives a meaning to, and folders that look like columns."""
    named = folder / "report_year=1999"
    named.mkdir()
    for number, name in enumerate(ODD_NAMES):
        jsonl(named / name, sentence_of(number + 1, sentenceID=name))
    table = pa.Table.from_pylist([sentence_of(99, sentenceID="p")])
    pq.write_table(table, named / "p[2].parquet")
    table.to_pandas().assign(docID="0000000098_10-K_2020", sentenceID="c", cik=98).to_csv(
        named / "c[3].csv", index=False
    )


def good_beside_bad(folder: Path) -> None:
    second = sentence_of(42, 1, sentence="[Reserved]")
    lines = [SENTENCE, 5, second, SENTENCE | {"sentence": ["It fell."]}, None, SENTENCE | {"docID": "\ud800"}]
    jsonl(folder / "good.jsonl", *lines)
    nothing = {name: FILING[name] for name in ("company", "filing_type", "filing_date")} | {"cik": "44"}
    with jsonl(folder / "filings.jsonl", FILING | {"cik": "45"}, nothing).open("a") as stream:
        stream.write("\n" + json.dumps(FILING | {"cik": "46"})[:-20])
    (folder / "filing.json").write_text(json.dumps(FILING), encoding="utf-8")
    (folder / "47_10K_2020_a.htm").write_text(HTML, encoding="utf-8")
    (folder / "nobody.htm").write_text(HTML, encoding="utf-8")
    (folder / "blog.htm").write_text("<html><p>Widgets are blue.</p></html>", encoding="utf-8")
    (folder / "cut.json").write_text(json.dumps(FILING)[:80], encoding="utf-8")
    # names of columns count in any case
    for name, cik in (("cased.jsonl", 49), ("cased.json", 50)):
        jsonl(folder / name, {column.title(): value for column, value in (FILING | {"cik": str(cik)}).items()})
    jsonl(folder / "upper.jsonl", {column.upper(): value for column, value in sentence_of(51).items()})
    comma = "The third, has a comma."
    with (folder / "good.csv").open("w", encoding="utf-8", newline="") as stream:
        rows = csv.DictWriter(stream, [*SENTENCE], lineterminator="\n")
        rows.writeheader()
        for place, text in enumerate(("First.", "Second,\nin two lines.", comma, "Fourth.")):
            row = sentence_of(48, place, sentence=text)
            rows.writerow(row) if text != comma else stream.write(",".join(map(str, row.values())) + "\n")
    (folder / "empty.jsonl").write_bytes(b"")


def bad_rows(folder: Path) -> None:
    row = sentence_of(142)
    rows = [
        row,
        row | {"sentence": "The same id again."},
        row | {"sentenceID": "x_1", "sentence": "  "},
        row | {"sentenceID": "x_2", "section_item": "item_99"},
        row | {"sentenceID": "x_3", "report_year": "soon"},
        row | {"sentenceID": "x_4", "cik": "n/a"},
        row | {"sentenceID": "x", "sentence_index": None},
        sentence_of(142, 9),
        row | {"sentenceID": "x_9", "sentence_index": 9, "sentence": "It stands where another does."},
        sentence_of(142, 10, report_year=2019),
        sentence_of(142, 10),
    ]
    jsonl(folder / "rows.jsonl", *rows)


def items_without_letters(folder: Path) -> None:
    texts = {
        "2": ".",
        "3": "...",
        "4": "- -",
        "5": "\u00a0",
        "6": "\u200b",
        "9": "\u2014 ~ \u2022",
        "10": "7",
        "11": "\u00b2",
    }
    filing = FILING | {"cik": "143"} | {f"item_{item}": text for item, text in texts.items()}
    jsonl(folder / "filing.json", filing)
    jsonl(folder / "corpus.jsonl", {"_id": "j", "text": "."}, {"_id": "k", "text": "A text."})


def items_of_no_10_k(folder: Path) -> None:
    more = {"item_99": "Much more text. " * 9, "item_4A": "Executive officers.", "Item_2": "A plant.", "items": 1}
    object_ = json.dumps(FILING | {"cik": "244", "item_99": "An object."})
    (folder / "object.json").write_text(object_, encoding="utf-8")
    table = {"filename": "245_2020.txt", "cik": "245", "year": "2020", "section_1": "We sell.", "section_17": "No."}
    filing = FILING | {"cik": "243"}
    jsonl(folder / "a.jsonl", filing | {"item_8": "Notes follow."}, FILING | {"cik": "246"})
    jsonl(folder / "b.jsonl", filing | more)
    jsonl(folder / "c.jsonl", table)


def forms_not_stated(folder: Path) -> None:
    forms = {"350": None, "351": " ", "352": " 10-K405 "}
    jsonl(folder / "filings.jsonl", *(FILING | {"cik": cik, "filing_type": form} for cik, form in forms.items()))
    jsonl(folder / "sentences.jsonl", sentence_of(353, docID=None, sentenceID=None, form=" "))


def numbers_with_fractions(folder: Path) -> None:
    row = sentence_of(442, docID=None, sentenceID=None)
    rows = [
        row | {"cik": "1000001.0", "report_year": 2020.0, "sentence_index": 1.0},
        *(row | {"cik": cik} for cik in ("1000001.6", "1e6", "1_000", "0x1F")),
        *(row | {"report_year": year} for year in (2020.5, "2.02e3")),
        row | {"sentence_index": 1.5},
        sentence_of(442, 3, sentence_index="3.5"),
        sentence_of(442, 4, sentence_index=None),
    ]
    jsonl(folder / "rows.jsonl", *rows)


def filings_of_some_year(folder: Path) -> None:
    plain = {name: FILING[name] for name in ("company", "filing_type", "item_7")}
    filings = [
        {"cik": "501", "filing_date": "2020-03-31", "period_of_report": "2020-01-31", "filename": "501_10K_2019_x"},
        {"cik": "502", "filing_date": "2020-03-20", "filename": "502_10K_2020_0000000502-20-000001.htm"},
        {"cik": "503", "filing_date": "2020-03-30", "period_of_report": "n/a", "filename": "three.htm"},
        {"cik": "504", "filing_date": "2020-04-01"},
        {"cik": "505", "filing_date": "soon"},
    ]
    jsonl(folder / "filings.jsonl", *(plain | filing for filing in filings))


def a_filing_of_no_name(folder: Path) -> None:
    filing = {"filename": "642_2020.txt", "cik": "642", "year": "2020", "section_7": "Revenue rose by a tenth."}
    jsonl(folder / "filing.json", filing)


def many_rows(folder: Path) -> None:
    rows = [
        SENTENCE | {"sentenceID": f"id_{n}", "sentence_index": n, "sentence": f"Sentence {n}. " + "x" * (n % 300)}
        for n in range(30_000)
    ]
    for n in (7, 29_998):
        rows[n]["sentence"] = " "
    for name in ("a", "b"):
        corpus = [row | {"sentenceID": f"{name}_{row['sentence_index']}", "docID": f"{name}_2020"} for row in rows]
        jsonl(folder / f"{name}.jsonl", *corpus)
    with duckdb.connect() as connection:
        source = f"read_json('{folder}/b.jsonl', columns = {dict.fromkeys(SENTENCE, 'VARCHAR')})"
        connection.execute(f"copy (select * from {source}) to '{folder}/b.csv' (header)")
    (folder / "b.jsonl").unlink()


COMPANIES = (
    *("cik,company_name,ticker", "642,Zeta Co,", "642,Alpha Co,ALP", "ABC,No Number,", ",Blank,"),
    *("12345678901,Too Long,", "1000642.7,None,", "642,,ZET"),
)
# No two have a filing in common.
CORPORA = (
    *(names_of_all_kinds, good_beside_bad, bad_rows, items_without_letters, items_of_no_10_k, forms_not_stated),
    *(numbers_with_fractions, filings_of_some_year, a_filing_of_no_name, many_rows),
)


@dataclass
class SideBySide:
    """Corpora that were built at once, each in a folder of its own; what a test asks is what became of one."""

    warehouse: Warehouse
    tested: CompletedProcess

    def rows(self, query: str, corpus: Callable[[Path], None]) -> list[tuple]:
        """Rows of a query, which finds the corpus's own rows by $folder."""
        return self.warehouse.rows(query, {"folder": f"corpora/{corpus.__name__}/"})

    def rejected(self, columns: str, corpus: Callable[[Path], None], where: str = "true") -> list[tuple]:
        query = f"select {columns} from corpus.rejected_rows where starts_with(file_path, $folder) and {where}"
        return self.rows(f"{query} order by all", corpus)

    def sentences(self, columns: str, corpus: Callable[[Path], None], where: str = "true") -> list[tuple]:
        of_corpus = "select filing_id from corpus.dim_filings where starts_with(file_path, $folder)"
        query = f"select {columns} from corpus.fct_sentences where filing_id in ({of_corpus}) and {where}"
        return self.rows(f"{query} order by all", corpus)


@pytest.fixture(scope="module")
def side_by_side(tmp_path_factory) -> SideBySide:
    warehouse = Warehouse(tmp_path_factory.mktemp("side_by_side") / "all")
    for write in CORPORA:
        folder = warehouse.project / "corpora" / write.__name__
        folder.mkdir(parents=True)
        write(folder)
    (warehouse.project / "companies.csv").write_text("\n".join(COMPANIES), encoding="utf-8")
    named = (f"report_year=1999/{name}" for name in (*ODD_NAMES, "p[2].parquet", "c[3].csv"))
    paths = (f"corpora/{names_of_all_kinds.__name__}/{name}" for name in named)
    patterns = (f"corpora/{write.__name__}/*" for write in CORPORA if write != names_of_all_kinds)
    at = {"corpus": shlex.join([*paths, *patterns]), "company_facts": "companies.csv"}
    printed = warehouse.build("--select", "+dim_filings", "+dim_companies", **at).output
    tested = warehouse.dbt("test", "--select", "assert_every_source_row_is_loaded_or_rejected", **at)
    warehouse.output = printed
    warehouse.keep_open()
    return SideBySide(warehouse, tested)


def test_every_row_of_every_file_is_loaded_or_rejected(side_by_side):
    assert side_by_side.tested.returncode == 0, side_by_side.tested.stdout


def test_files_are_read_by_their_names_whatever_these_are(side_by_side):
    assert side_by_side.sentences("sentence_id, report_year", names_of_all_kinds) == sorted(
        (name, SENTENCE["report_year"]) for name in (*ODD_NAMES, "p", "c")
    )
    assert side_by_side.rejected("*", names_of_all_kinds) == []


def test_good_files_load_beside_bad_ones(side_by_side):
    output = side_by_side.warehouse.output
    assert "Source files left out" in output
    assert "corpora/good_beside_bad/cut.json: not readable as json" in output
    unused = output.partition("Source files of which no row is used (corpus.rejected_rows):\n")[2]
    assert unused.splitlines()[0] == "  corpora/good_beside_bad/nobody.htm: missing_cik"
    # a copy is none of them, whatever items it has
    assert "items_of_no_10_k/b.jsonl" not in unused
    html = side_by_side.sentences("section_id, sentence_text", good_beside_bad, "source = 'edgar_html'")
    assert html == [
        *(("ITEM_1", text) for text in ("Item 1. Business", "We make widgets.")),
        ("ITEM_7", "Item 7. Management's Discussion"),
        # the table's row as it stands, and written out
        ("ITEM_7", "Management's Discussion: Sales, 12; 11"),
        ("ITEM_7", "Sales 12 11"),
        ("ITEM_7", "They rose."),
    ]
    reasons = side_by_side.rejected("reason, section_label", good_beside_bad, "source = 'edgar_html'")
    elsewhere = {reason: [label for of, label in reasons if of == reason] for reason, _ in reasons}
    assert elsewhere.pop("incorporated_by_reference") == ["8"] and elsewhere.pop("missing_cik")
    assert {"1A", "7A", "9A"} < set(elsewhere.pop("missing_item")) and not elsewhere
    loaded = Counter(filing for (filing,) in side_by_side.sentences("filing_id", good_beside_bad))
    filings = (f"00000000{cik}_10-K_2020" for cik in (42, 43, 45, *range(47, 52)))
    assert sorted(loaded) == [*filings, "blog"]
    of_filing = [loaded[f"00000000{cik}_10-K_2020"] for cik in (43, 45, 49, 50)]
    assert loaded["0000000042_10-K_2020"] == 2 and len(set(of_filing)) == 1
    of_csv = side_by_side.sentences("sentence_pos, sentence_text", good_beside_bad, "cik = 48")
    assert [text for _, text in of_csv] == ["First.", "Second, in two lines.", "Fourth."]
    # what of a file of lines cannot be read costs its line alone
    columns = "parse_filename(file_path), source_row, reason, section_label"
    assert side_by_side.rejected(columns, good_beside_bad, "source != 'edgar_html'") == [
        *((name, 1, "empty_text", "item_8") for name in ("cased.json", "cased.jsonl", "filing.json")),
        ("filings.jsonl", 1, "empty_text", "item_8"),
        ("filings.jsonl", 2, "no_item", None),
        ("filings.jsonl", 3, "unreadable_row", None),
        ("good.csv", 3, "unreadable_row", None),
        *(("good.jsonl", row, "unreadable_row", None) for row in (2, 4)),
        ("good.jsonl", 5, "missing_cik", None),
        ("good.jsonl", 6, "unreadable_row", None),
    ]
    assert "sentence: a list or an object" in str(side_by_side.rejected("detail", good_beside_bad))


def test_every_bad_row_is_kept_with_its_reason(side_by_side):
    assert side_by_side.rejected("source_row, reason", bad_rows) == [
        (2, "duplicate_sentence_id"),
        (3, "empty_text"),
        (4, "unknown_section"),
        (5, "unparsable_year"),
        (6, "missing_cik"),
        (7, "missing_position"),
        (9, "duplicate_position"),
        (10, "other_company_or_year"),
    ]
    detail = [("an earlier row of the section has position 9",)]
    assert side_by_side.rejected("detail", bad_rows, "source_row = 9") == detail
    assert side_by_side.sentences("min(report_year), max(report_year), count(*)", bad_rows) == [(2020, 2020, 3)]


def test_an_item_without_a_letter_or_digit_is_an_empty_text(side_by_side):
    """The splitter makes no sentence of these, so without a reason they would be lost."""
    assert side_by_side.rejected("source, section_label, reason, detail", items_without_letters) == [
        ("document_tables", "DOCUMENT", "empty_text", "no letter or digit"),
        *(("edgar_crawler", f"item_{item}", "empty_text", "no letter or digit") for item in (*"2345689",)),
    ]


def test_an_item_that_no_10_k_has_is_rejected_and_makes_no_copy_the_better_one(side_by_side):
    columns = "parse_filename(file_path), section_label, text_start"
    assert side_by_side.rejected(columns, items_of_no_10_k, "reason = 'unknown_section'") == [
        ("b.jsonl", "item_4A", "Executive officers."),
        ("b.jsonl", "item_99", ("Much more text. " * 9).strip()),
        ("c.jsonl", "section_17", "No."),
        ("object.json", "item_99", "An object."),
    ]
    # of two copies with as many items that with more text in them is loaded
    supplied = side_by_side.rejected("distinct supplied_by", items_of_no_10_k, "supplied_by is not null")
    assert supplied == [("corpora/items_of_no_10_k/a.jsonl",)]


def test_a_filing_that_states_no_form_is_a_10_k(side_by_side):
    forms = "select filing_id, form_type from corpus.dim_filings where starts_with(file_path, $folder) order by 1"
    assert side_by_side.rows(forms, forms_not_stated) == [
        ("0000000350_10-K_2020", "10-K"),
        ("0000000351_10-K_2020", "10-K"),
        ("0000000352_10-K405_2020", "10-K405"),
        ("0000000353_10-K_2020", "10-K"),
    ]


def test_numbers_are_not_rounded(side_by_side):
    """What a cast would make another company, year or place of is refused; whole floats are what they are."""
    assert side_by_side.rejected("source_row, reason", numbers_with_fractions) == [
        *((row, "missing_cik") for row in (2, 3, 4, 5)),
        *((row, "unparsable_year") for row in (6, 7)),
        *((row, "missing_position") for row in (8, 9)),
    ]
    assert side_by_side.sentences("sentence_id", numbers_with_fractions) == [
        ("0000000442_10-K_2020_section_7_4",),
        ("0001000001_10-K_2020_section_7_1",),
    ]


def test_what_a_fiscal_year_is_read_from(side_by_side):
    """The end of the period, else the file's name, else 90 days before the filing; else the rows are rejected."""
    years = (
        "select cik, report_year, report_year_source from corpus.dim_filings "
        "where starts_with(file_path, $folder) order by 1"
    )
    assert side_by_side.rows(years, filings_of_some_year) == [
        (501, 2020, "period_of_report"),
        (502, 2020, "file_name"),
        (503, 2019, "filing_date"),
        (504, 2020, "filing_date"),
    ]
    assert side_by_side.rejected("source_row, reason", filings_of_some_year) == [(5, "unparsable_year")]


def test_a_company_has_the_first_name_of_a_table_and_no_row_of_it_vanishes(side_by_side):
    filings = "select cik from corpus.dim_filings where starts_with(file_path, $folder)"
    named = f"select company_name, ticker from corpus.dim_companies where cik in ({filings})"
    assert side_by_side.rows(named, a_filing_of_no_name) == [("Zeta Co", "ZET")]
    problems = "select source_row, reason from staging.stg_reference__companies where reason is not null order by 1"
    assert side_by_side.warehouse.rows(problems) == [
        (2, "duplicate_id"),
        *((row, "missing_cik") for row in (3, 4, 5, 6)),
        (7, "no_name"),
    ]


def test_rows_are_numbered_as_they_stand_in_their_file(side_by_side):
    """Rejected rows are found again by their number, so it must not depend on threads, other files or the format."""
    assert side_by_side.rejected("filing_id, source_row, reason", many_rows) == [
        ("a_2020", 8, "empty_text"),
        ("a_2020", 29_999, "empty_text"),
        ("b_2020", 8, "empty_text"),
        ("b_2020", 29_999, "empty_text"),
    ]
    assert side_by_side.sentences("count(*)", many_rows) == [(59_996,)]
    misnumbered = (
        "select count(*) from corpus.int_sentence_rows "
        "where starts_with(file_path, $folder) and source_row != 1 + sentence_pos"
    )
    assert side_by_side.rows(misnumbered, many_rows) == [(0,)]


FULLER, IN_TWO_LAYOUTS, SAMPLED = (f"00000000{cik}_10-K_2020" for cik in (43, 44, 45))
STATE = (
    "select list(distinct source), list(distinct section_id order by section_id), count(*), "
    "md5(string_agg(sentence_text, '' order by sentence_id)) from corpus.fct_sentences where filing_id = $filing",
    "select file_path, source_row, section_label, reason, supplied_by from corpus.rejected_rows "
    "where filing_id = $filing order by all",
    "select filing_id, file_path, section_count from corpus.dim_filings where filing_id = $filing",
)


def write_copies(folder: Path) -> None:
    """Of the first two filings a part and the whole, of the second a table of its sentences too.

    Of the third the whole, a fuller table and a sample of that.
    """
    text = "Revenue was five million dollars. It rose three per cent over the year before. "
    items = ("item_1", "item_1A", "item_7", "item_7A", "item_8")
    stated = {name: value for name, value in FILING.items() if not name.startswith("item_")}
    for cik in ("43", "44"):
        for name, held in (("whole", dict.fromkeys(items, text * 5)), ("part", dict.fromkeys(items[:4], text * 10))):
            jsonl(folder / f"{name}{cik}.json", stated | {"cik": cik} | held)
    shutil.copy(folder / "whole44.json", folder / "a.json")
    of_item = [
        sentence_of(44, n, sentenceID=f"{IN_TWO_LAYOUTS}_section_{item}_{n}", section_item=f"item_{item}")
        | {"sentence": f"{text * 5} {item}"}
        for item in ("1", "7")
        for n in range(2)
    ]
    jsonl(folder / "table44.jsonl", *of_item)
    jsonl(folder / "whole45.json", FILING | {"cik": "45", "item_7": text})
    shutil.copy(folder / "whole45.json", folder / "again45.json")
    jsonl(folder / "full45.jsonl", *(sentence_of(45, n, sentence=f"{text}{n}") for n in range(3)))
    jsonl(folder / "sample45.jsonl", sentence_of(45, sentence="Short."))


@pytest.fixture(scope="module")
def arrivals(tmp_path_factory) -> dict[str, dict[str, list]]:
    """What builds on top of one another, as copies arrive and go, made of each of three filings."""
    folder = tmp_path_factory.mktemp("arrivals")
    write_copies(folder)
    warehouse = Warehouse(folder / "warehouse")

    def build(files: str, *options: str) -> dict[str, list]:
        corpus = warehouse.linked("corpus", *(folder / name for name in files.split()))
        warehouse.build("--select", "+dim_filings", *options, corpus=corpus, company_facts="")
        assert warehouse.value("select count(*) - count(distinct sentence_id) from corpus.fct_sentences") == 0
        filings = (FULLER, IN_TWO_LAYOUTS, SAMPLED)
        return {filing: [warehouse.rows(query, {"filing": filing}) for query in STATE] for filing in filings}

    every = "part43.json whole43.json table44.jsonl whole44.json whole45.json sample45.jsonl"
    return {
        "first": build("part43.json part44.json whole45.json full45.jsonl"),
        "every": build(every, "--exclude", SEEDS),
        "last": build("part43.json table44.jsonl a.json whole45.json again45.json", "--exclude", SEEDS),
        "anew": build(every, "--exclude", SEEDS, "--full-refresh"),
    }


def test_a_fuller_copy_that_comes_later_takes_over(arrivals):
    """Four items yield to the complete filing, in either order of arrival, as a full refresh has it.

    Of two filings: one whose fuller copy is of the same layout, and one that has a copy in another layout too.
    """
    first, every, last = arrivals["first"], arrivals["every"], arrivals["last"]
    for filing in (FULLER, IN_TWO_LAYOUTS):
        assert first[filing][0][0][1] == ["ITEM_1", "ITEM_1A", "ITEM_7", "ITEM_7A"]
    sentences, rejected, filings = every[FULLER]
    assert sentences[0][1] == ["ITEM_1", "ITEM_1A", "ITEM_7", "ITEM_7A", "ITEM_8"]
    assert filings == [(FULLER, "corpus/whole43.json", 5)]
    assert rejected == [
        ("corpus/part43.json", 1, item, "duplicate_filing", "corpus/whole43.json")
        for item in ("item_1", "item_1A", "item_7", "item_7A")
    ]
    # in another layout
    _, rejected, filings = every[IN_TWO_LAYOUTS]
    assert filings == [(IN_TWO_LAYOUTS, "corpus/whole44.json", 5)]
    assert [row[3:] for row in rejected] == [("duplicate_filing", "corpus/whole44.json")] * 4
    assert arrivals["anew"] == every
    # and under another name, which the rejected rows then give
    assert last[FULLER] == first[FULLER]
    assert {row[3:] for row in last[IN_TWO_LAYOUTS][1]} == {("duplicate_filing", "corpus/a.json")}


def test_one_copy_supplies_a_filing_whole(arrivals):
    """Two splitters cut differently, so the sentences of two copies must never mix; a sample yields to a full text."""
    first, every, last = (arrivals[name][SAMPLED] for name in ("first", "every", "last"))
    assert first[0][0][0] == ["finsights"]
    assert every[0][0][0] == last[0][0][0] == ["edgar_crawler"]
    assert [(row[0], row[3]) for row in every[1] if "sample" in row[0]] == [
        ("corpus/sample45.jsonl", "duplicate_filing")
    ]
    assert len({path for path, _, _, reason, _ in last[1] if reason == "duplicate_filing"}) == 1


# What docs/data.md says a layout is recognised by, and nothing else.
EXACT = {
    "finsights.jsonl": {
        "docID": "0000000001_10-K_2020",
        "sentenceID": "0000000001_10-K_2020_section_7_3",
        "sentence": "Revenue rose.",
        "section_name": "item_7",
        "report_year": 2020,
    },
    "hf.jsonl": {
        "docID": "0000000002_10-K_2020",
        "sentenceID": "0000000002_10-K_2020_section_7_3",
        "sentence": "Revenue rose.",
        "section": 8,
        "cik": "2",
    },
    "crawler.json": {"cik": "3", "company": "C", "filing_type": "10-K", "filing_date": "2021-02-01", "item_7": "Up."},
    "corpus.jsonl": {"filename": "4_2020.txt", "cik": "4", "year": "2020", "section_7": "Revenue rose."},
}
EXACT_FACTS = {
    "facts.jsonl": {"cik": 3, "year": 2020, "metric_key": "revenue", "value": 5e6, "unit": "USD"},
    "names.jsonl": {"cik": 4, "company_name": "Fourth", "ticker": "IV"},
}


def test_the_columns_that_the_documentation_names_are_enough(empty, tmp_path):
    documented = all_text()
    for name, row in (EXACT | EXACT_FACTS).items():
        jsonl(tmp_path / name, row)
        columns = ", ".join("item_…" if c == "item_7" else "section_…" if c == "section_7" else c for c in row)
        assert f"| {columns} |" in documented, columns
    corpus = empty.linked("corpus", *(tmp_path / name for name in EXACT))
    facts = empty.linked("facts", *(tmp_path / name for name in EXACT_FACTS))
    empty.build("--select", "+dim_companies", "+corpus_health", corpus=corpus, company_facts=facts)
    assert empty.rows("select status, count(*) from staging.source_files group by 1") == [("loaded", 6)]
    assert empty.rows("select * from corpus.rejected_rows") == []
    assert empty.rows(
        "select filing_id, company_name, report_year, report_year_source from corpus.dim_filings order by 1"
    ) == [
        ("0000000001_10-K_2020", "CIK 1", 2020, "stated"),
        ("0000000002_10-K_2020", "CIK 2", 2020, "filing_id"),
        ("0000000003_10-K_2020", "C", 2020, "filing_date"),
        ("0000000004_10-K_2020", "Fourth", 2020, "stated"),
    ]
    assert empty.value("select count(*) from staging.stg_xbrl__company_facts where value = 5e6") == 1
    assert "Corpus health (corpus.corpus_health):" in empty.output
    assert "4 of 4 filings lack item 7 or 8" in empty.output


NOT_ABOVE_SENTENCES = (
    *("corpus_health", "dim_", "fct_table", "fct_tagged", "int_tagged", "int_sentence_letters", "input_problems"),
    *("int_fetched", "fetched", "stg_xbrl"),
)


def only_corpus(project: Path) -> None:
    """Leave of the models those that sentences are made of, which dbt parses in a fourth of the time, and no test."""
    for name in ("models", "python_models", "tests", "analyses"):
        (project / name).unlink()
        (project / name).mkdir()
    here = ("models/_groups.yml", "python_models/finrag")
    described = ("models/*.md", "models/metrics/*.md")
    folders = [f"{kind}/{folder}/*.*" for kind in ("models", "python_models") for folder in ("staging", "corpus")]
    for path in chain.from_iterable(ROOT.glob(pattern) for pattern in (*here, *described, *folders)):
        if not path.stem.startswith(NOT_ABOVE_SENTENCES):
            link = project / path.relative_to(ROOT)
            link.parent.mkdir(exist_ok=True)
            link.symlink_to(path)


def test_a_changed_macro_is_a_new_build_version(empty, tmp_path):
    """After an upgrade of the product no row is left that an earlier version of a macro made."""
    only_corpus(empty.project)
    (empty.project / "macros").unlink()
    shutil.copytree(ROOT / "macros", empty.project / "macros")
    given = {"corpus": empty.linked("corpus", jsonl(tmp_path / "a.jsonl", SENTENCE)), "company_facts": ""}
    versions = "select model, build_version from corpus.processed_filings order by all"

    def build(*models: str) -> None:
        """With the parse that the last one has left, and what has changed since."""
        arguments = ["build", *WITHOUT_TESTS, "--select", *models, "--vars", at_parse(given)]
        done = run_dbt(arguments, empty.project, environment(**given))
        assert done.returncode == 0, done.stdout

    def changed(*changes: tuple[str, str, str]) -> set[str]:
        before = dict(empty.rows(versions))
        for name, old, new in changes:
            macro = empty.project / "macros" / name
            assert old in macro.read_text(encoding="utf-8")
            macro.write_text(macro.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
        build(*everything)
        return {model for model, version in empty.rows(versions) if before[model] != version}

    # all that remember what they were built by
    everything = {"fct_sentences", "rejected_rows", "int_split_sentences"}
    build("+fct_sentences")
    assert {model for model, _ in empty.rows(versions)} == everything
    # called by staging, above all three
    assert changed(("source_values.sql", "between 1980 and 2100", "between 1981 and 2100")) == everything
    # called by a macro that is called by fct_sentences alone, and by nothing of these
    of_one = ("patterns/label_rules.sql", "{# SQL literal", "{# The literal")
    assert changed(of_one, ("report/report_build.sql", "rows rejected", "rejected rows")) == {"fct_sentences"}


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
    assert empty.rows("select status, count(*) from staging.source_files group by all") == [("loaded", 5)]
    held = empty.rows(
        "select list(cik order by cik), company_name, section_id, sentence_text from corpus.fct_sentences "
        "where cik <> 9 group by all order by all"
    )
    # two headings and three sentences
    assert len(held) == 5 and {tuple(ciks) for ciks, *_ in held} == {(1, 2, 3, 4, 5)}
    assert {company for _, company, _, _ in held} == {"Filing Co"}


def test_many_files_with_one_fault_are_one_line(connection, tmp_path):
    files = [inspect(connection, jsonl(tmp_path / f"{number}.jsonl", {"a": 1})) for number in range(3)]
    (tmp_path / "odd.doc").write_text("x")
    files.append(inspect(connection, tmp_path / "odd.doc"))
    lines = sources.faults(files)
    assert len(lines) == 2
    assert lines[0].startswith(f"3 files, such as {tmp_path}/0.jsonl: unknown layout: its columns are a.")
    assert lines[1].startswith(f"{tmp_path}/odd.doc: not a supported format")
