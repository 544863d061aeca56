"""Files that cannot be loaded are named with what was expected, and the others still load."""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import os
import shlex
import shutil
from itertools import chain
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from documents import all_text
from finrag.build import unchanged
from finrag.corpus import sources
from finrag.errors import FinragError
from finrag.inputs import answers
from warehouses import ROOT, SEEDS, WITHOUT_TESTS, at_parse, environment, run_dbt

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
    sources.Layout("edgar_html", "filing", (), ""),
    sources.Layout("documents", "filing", (), ""),
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
        ("truncated.json", json.dumps(FILING).encode()[:-40], "not readable as json"),
        ("empty.json", b"", "the file is empty"),
        ("columns.jsonl", b'{"text": "hello"}\n', "unknown layout: its columns are text"),
        ("header_only.csv", ",".join(SENTENCE).encode() + b"\n", "the file has no rows"),
        ("ragged.csv", ",".join(SENTENCE).encode() + b"\n1,2,3\n", "not readable as csv"),
        ("notes.doc", b"hello", "not a supported format"),
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
    assert "Expected" in file.reason


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
        files, _ = sources.expand(connection, pattern, "")
        found = {Path(path).name: sources.inspect(connection, path, LAYOUTS, {}) for path in files}
        assert set(found) == {"good.jsonl", "pipe.jsonl", "nowhere.jsonl", "itself.jsonl"}
        assert found["good.jsonl"].status == "loaded" and found["good.jsonl"].file_path == str(good)
        assert found["pipe.jsonl"].reason.startswith("is no regular file")
        assert found["nowhere.jsonl"].reason.startswith("cannot be opened: No such file")
        assert found["itself.jsonl"].reason.startswith("cannot be opened: Too many levels of symbolic links")
    with pytest.raises(FinragError, match=r"matches no file"):
        sources.expand(connection, f"{folder}/a_folder.jsonl", "")


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


def test_files_are_read_by_their_names_whatever_these_are(empty, tmp_path):
    """Blanks, quotes, what a glob gives a meaning to, and folders that look like columns."""
    names = ("a b.jsonl", "o'neil.jsonl", "a[1].jsonl", "a1.jsonl", "what?.jsonl", "st*r.jsonl", 'qu"ote.jsonl')
    folder = empty.project / "named" / "report_year=1999"
    folder.mkdir(parents=True)
    for number, name in enumerate(names):
        jsonl(
            folder / name, SENTENCE | {"docID": f"{number + 1:010d}_10-K_2020", "sentenceID": name, "cik": number + 1}
        )
    table = pa.Table.from_pylist([SENTENCE | {"docID": "0000000099_10-K_2020", "sentenceID": "p", "cik": 99}])
    pq.write_table(table, folder / "p[2].parquet")
    table.to_pandas().assign(docID="0000000098_10-K_2020", sentenceID="c", cik=98).to_csv(
        folder / "c[3].csv", index=False
    )
    corpus = shlex.join(f"named/report_year=1999/{name}" for name in (*names, "p[2].parquet", "c[3].csv"))
    empty.build("--select", "+fct_sentences", corpus=corpus, company_facts="")
    assert empty.rows("select sentence_id, report_year from corpus.fct_sentences order by 1") == sorted(
        (name, SENTENCE["report_year"]) for name in (*names, "p", "c")
    )
    assert empty.rows("select * from corpus.rejected_rows") == []


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
    second = SENTENCE | {
        "sentenceID": "0000000042_10-K_2020_section_7_1",
        "sentence_index": 1,
        "sentence": "[Reserved]",
    }
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
    upper = SENTENCE | {"cik": 51, "docID": "0000000051_10-K_2020", "sentenceID": "0000000051_10-K_2020_section_7_0"}
    jsonl(folder / "upper.jsonl", {column.upper(): value for column, value in upper.items()})
    comma = "The third, has a comma."
    with (folder / "good.csv").open("w", encoding="utf-8", newline="") as stream:
        rows = csv.DictWriter(stream, [*SENTENCE], lineterminator="\n")
        rows.writeheader()
        for place, text in enumerate(("First.", "Second,\nin two lines.", comma, "Fourth.")):
            row = SENTENCE | {"cik": "48", "sentence_index": place, "sentence": text}
            row |= {"docID": "0000000048_10-K_2020", "sentenceID": f"0000000048_10-K_2020_section_7_{place}"}
            rows.writerow(row) if text != comma else stream.write(",".join(map(str, row.values())) + "\n")
    (folder / "empty.jsonl").write_bytes(b"")
    at = {"corpus": empty.linked("corpus", *folder.iterdir()), "company_facts": ""}
    empty.build("--select", "+fct_sentences", **at)
    assert "Source files left out" in empty.output
    assert "corpus/cut.json: not readable as json" in empty.output
    unused = empty.output.partition("Source files of which no row is used (corpus.rejected_rows):\n")[2]
    assert unused.splitlines()[0] == "  corpus/nobody.htm: missing_cik"
    html = "select section_id, sentence_text from corpus.fct_sentences where source = 'edgar_html' order by all"
    assert empty.rows(html) == [
        *(("ITEM_1", text) for text in ("Item 1. Business", "We make widgets.")),
        ("ITEM_7", "Item 7. Management's Discussion"),
        # the table's row as it stands, and written out
        ("ITEM_7", "Management's Discussion: Sales, 12; 11"),
        ("ITEM_7", "Sales 12 11"),
        ("ITEM_7", "They rose."),
    ]
    reasons = "select reason, list(section_label) from corpus.rejected_rows where source = 'edgar_html' group by 1"
    elsewhere = dict(empty.rows(reasons))
    assert elsewhere.pop("incorporated_by_reference") == ["8"] and elsewhere.pop("missing_cik")
    assert {"1A", "7A", "9A"} < set(elsewhere.pop("missing_item")) and not elsewhere
    loaded = empty.rows("select filing_id, count(*) from corpus.fct_sentences group by all order by all")
    assert [row[0] for row in loaded] == [*(f"00000000{cik}_10-K_2020" for cik in (42, 43, 45, *range(47, 52))), "blog"]
    assert loaded[0][1] == 2 and loaded[1][1] == loaded[2][1] == loaded[5][1] == loaded[6][1]
    of_csv = "select sentence_text from corpus.fct_sentences where cik = 48 order by sentence_pos"
    assert empty.rows(of_csv) == [("First.",), ("Second, in two lines.",), ("Fourth.",)]
    # what of a file of lines cannot be read costs its line alone
    rejected = (
        "select parse_filename(file_path), source_row, reason, section_label from corpus.rejected_rows "
        "where source != 'edgar_html' order by all"
    )
    assert empty.rows(rejected) == [
        *((name, 1, "empty_text", "item_8") for name in ("cased.json", "cased.jsonl", "filing.json")),
        ("filings.jsonl", 1, "empty_text", "item_8"),
        ("filings.jsonl", 2, "no_item", None),
        ("filings.jsonl", 3, "unreadable_row", None),
        ("good.csv", 3, "unreadable_row", None),
        *(("good.jsonl", row, "unreadable_row", None) for row in (2, 4)),
        ("good.jsonl", 5, "missing_cik", None),
        ("good.jsonl", 6, "unreadable_row", None),
    ]
    assert "sentence: a list or an object" in str(empty.rows("select detail from corpus.rejected_rows"))

    assert empty.dbt("test", "--select", "assert_every_source_row_is_loaded_or_rejected", **at).returncode == 0, (
        empty.output
    )


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
        SENTENCE | {"sentenceID": "x_9", "sentence_index": 9, "sentence": "It stands where another does."},
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
        (9, "duplicate_position"),
    ]
    detail = "select detail from corpus.rejected_rows where source_row = 9"
    assert empty.value(detail) == "an earlier row of the section has position 9"
    assert empty.value("select count(*) from corpus.fct_sentences") == 2


def test_an_item_without_a_letter_or_digit_is_an_empty_text(empty, tmp_path):
    """The splitter makes no sentence of these, so without a reason they would be lost."""
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
    filing = jsonl(tmp_path / "filing.json", FILING | {f"item_{item}": text for item, text in texts.items()})
    documents = jsonl(tmp_path / "corpus.jsonl", {"_id": "j", "text": "."}, {"_id": "k", "text": "A text."})
    at = {"corpus": empty.linked("corpus", filing, documents), "company_facts": ""}
    empty.build("--select", "+fct_sentences", **at)
    assert empty.rows("select source, section_label, reason, detail from corpus.rejected_rows order by all") == [
        ("document_tables", "DOCUMENT", "empty_text", "no letter or digit"),
        *(("edgar_crawler", f"item_{item}", "empty_text", "no letter or digit") for item in (*"2345689",)),
    ]
    assert empty.dbt("test", "--select", "assert_every_source_row_is_loaded_or_rejected", **at).returncode == 0, (
        empty.output
    )


def test_an_item_that_no_10_k_has_is_rejected_and_makes_no_copy_the_better_one(empty, tmp_path):
    more = {"item_99": "Much more text. " * 9, "item_4A": "Executive officers.", "Item_2": "A plant.", "items": 1}
    object_ = tmp_path / "object.json"
    object_.write_text(json.dumps(FILING | {"cik": "44", "item_99": "An object."}), encoding="utf-8")
    table = {"filename": "45_2020.txt", "cik": "45", "year": "2020", "section_1": "We sell.", "section_17": "No item."}
    files = [
        jsonl(tmp_path / "a.jsonl", FILING | {"item_8": "Notes follow."}, FILING | {"cik": "46"}),
        jsonl(tmp_path / "b.jsonl", FILING | more),
        jsonl(tmp_path / "c.jsonl", table),
        object_,
    ]
    at = {"corpus": empty.linked("corpus", *files), "company_facts": ""}
    empty.build("--select", "+fct_sentences", **at)
    rejected = "select file_path, section_label, reason, text_start from corpus.rejected_rows order by all"
    found = [(Path(path).name, *row) for path, *row in empty.rows(rejected)]
    assert [row for row in found if row[2] == "unknown_section"] == [
        ("b.jsonl", "item_4A", "unknown_section", "Executive officers."),
        ("b.jsonl", "item_99", "unknown_section", ("Much more text. " * 9).strip()),
        ("c.jsonl", "section_17", "unknown_section", "No item."),
        ("object.json", "item_99", "unknown_section", "An object."),
    ]
    # of two copies with as many items that with more text in them is loaded
    assert empty.rows("select distinct supplied_by from corpus.rejected_rows where supplied_by is not null") == [
        ("corpus/a.jsonl",)
    ]
    assert empty.dbt("test", "--select", "assert_every_source_row_is_loaded_or_rejected", **at).returncode == 0, (
        empty.output
    )


def test_a_filing_that_states_no_form_is_a_10_k(empty, tmp_path):
    forms = {"50": None, "51": " ", "52": " 10-K405 "}
    filings = [FILING | {"cik": cik, "filing_type": form} for cik, form in forms.items()]
    sentence = SENTENCE | {"cik": "53", "docID": None, "sentenceID": None, "form": " "}
    files = [jsonl(tmp_path / "filings.jsonl", *filings), jsonl(tmp_path / "sentences.jsonl", sentence)]
    empty.build("--select", "+dim_filings", corpus=empty.linked("corpus", *files), company_facts="")
    assert empty.rows("select filing_id, form_type from corpus.dim_filings order by 1") == [
        ("0000000050_10-K_2020", "10-K"),
        ("0000000051_10-K_2020", "10-K"),
        ("0000000052_10-K405_2020", "10-K405"),
        ("0000000053_10-K_2020", "10-K"),
    ]


def test_numbers_are_not_rounded(empty, tmp_path):
    """What a cast would make another company, year or place of is refused; whole floats are what they are."""
    ids = {"docID": None, "sentenceID": None}
    rows = [
        SENTENCE | ids | {"cik": "1000001.0", "report_year": 2020.0, "sentence_index": 1.0},
        *(SENTENCE | ids | {"cik": cik} for cik in ("1000001.6", "1e6", "1_000", "0x1F")),
        *(SENTENCE | ids | {"report_year": year} for year in (2020.5, "2.02e3")),
        SENTENCE | ids | {"sentence_index": 1.5},
        SENTENCE | {"sentenceID": "0000000042_10-K_2020_section_7_3", "sentence_index": "3.5"},
        SENTENCE | {"sentenceID": "0000000042_10-K_2020_section_7_4", "sentence_index": None},
    ]
    corpus = empty.linked("corpus", jsonl(tmp_path / "rows.jsonl", *rows))
    empty.build("--select", "+fct_sentences", corpus=corpus, company_facts="")
    assert empty.rows("select source_row, reason from corpus.rejected_rows order by 1") == [
        *((row, "missing_cik") for row in (2, 3, 4, 5)),
        *((row, "unparsable_year") for row in (6, 7)),
        *((row, "missing_position") for row in (8, 9)),
    ]
    assert empty.rows("select sentence_id from corpus.fct_sentences order by 1") == [
        ("0000000042_10-K_2020_section_7_4",),
        ("0001000001_10-K_2020_section_7_1",),
    ]


def test_a_company_has_the_first_name_of_a_table_and_no_row_of_it_vanishes(empty, tmp_path):
    filing = {"filename": "42_2020.txt", "cik": "42", "year": "2020", "section_7": "Revenue rose by a tenth."}
    table = tmp_path / "companies.csv"
    rows = ["42,Zeta Co,", "42,Alpha Co,ALP", "ABC,No Number,", ",Blank,", "12345678901,Too Long,", "1000002.7,None,"]
    table.write_text("\n".join(["cik,company_name,ticker", *rows, "42,,ZET"]), encoding="utf-8")
    empty.build(
        "--select",
        "+dim_companies",
        corpus=empty.linked("corpus", jsonl(tmp_path / "filing.json", filing)),
        company_facts=empty.linked("facts", table),
    )
    assert empty.rows("select company_name, ticker from corpus.dim_companies") == [("Zeta Co", "ZET")]
    problems = "select source_row, reason from staging.stg_reference__companies where reason is not null order by 1"
    assert empty.rows(problems) == [
        (2, "duplicate_id"),
        *((row, "missing_cik") for row in (3, 4, 5, 6)),
        (7, "no_name"),
    ]


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
    later = ("--select", "+fct_sentences", "--exclude", SEEDS)
    empty.build(*later, corpus=empty.linked("corpus", filing, sampled), company_facts="")
    assert empty.rows("select distinct source from corpus.fct_sentences") == [("edgar_crawler",)]
    assert empty.rows("select reason from corpus.rejected_rows where source = 'finsights'") == [("duplicate_filing",)]
    shutil.copy(filing, tmp_path / "again.json")
    empty.build(*later, corpus=empty.linked("corpus", filing, tmp_path / "again.json"), company_facts="")
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


def test_a_file_under_both_corpus_and_facts_is_one_clear_error(connection, tmp_path):
    for name in ("a.jsonl", "b.jsonl", "c.jsonl"):
        jsonl(tmp_path / name, SENTENCE)
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "b.jsonl")
    with pytest.raises(FinragError, match=r"1 file stands under both CORPUS and FACTS: .*a\.jsonl\. .*narrow the glob"):
        sources.expand(connection, f"{tmp_path}/[ab].jsonl", f"{tmp_path}/[ac].jsonl")
    with pytest.raises(FinragError, match="under both CORPUS and FACTS"):
        sources.expand(connection, f"{tmp_path}/b.jsonl", f"{tmp_path}/link.jsonl")


def test_a_file_that_is_named_twice_is_read_once(connection, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    jsonl(tmp_path / "a.jsonl", SENTENCE)
    jsonl(tmp_path / "b.jsonl", SENTENCE)
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "b.jsonl")
    files, facts = sources.expand(connection, f"a.jsonl ./a.jsonl {tmp_path}/a.jsonl *.jsonl link.jsonl", "")
    assert [Path(file).name for file in files] == ["a.jsonl", "b.jsonl"] and facts == []


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


def test_what_a_fiscal_year_is_read_from(empty, tmp_path):
    """The end of the period, else the file's name, else 90 days before the filing; else the rows are rejected."""
    plain = {name: FILING[name] for name in ("company", "filing_type", "item_7")}
    filings = [
        plain | {"cik": "1", "filing_date": "2020-03-31", "period_of_report": "2020-01-31", "filename": "1_10K_2019_x"},
        plain | {"cik": "2", "filing_date": "2020-03-20", "filename": "2_10K_2020_0000000002-20-000001.htm"},
        plain | {"cik": "3", "filing_date": "2020-03-30", "period_of_report": "n/a", "filename": "three.htm"},
        plain | {"cik": "4", "filing_date": "2020-04-01"},
        plain | {"cik": "5", "filing_date": "soon"},
    ]
    corpus = empty.linked("corpus", jsonl(tmp_path / "filings.jsonl", *filings))
    empty.build("--select", "+dim_filings", corpus=corpus, company_facts="")
    assert empty.rows("select cik, report_year, report_year_source from corpus.dim_filings order by 1") == [
        (1, 2020, "period_of_report"),
        (2, 2020, "file_name"),
        (3, 2019, "filing_date"),
        (4, 2020, "filing_date"),
    ]
    assert empty.rows("select source_row, reason from corpus.rejected_rows") == [(5, "unparsable_year")]


def test_a_fuller_copy_that_comes_later_takes_over(empty, tmp_path):
    """Four items yield to the complete filing, in either order of arrival, as a full refresh has it.

    Of two filings: one whose fuller copy is of the same layout, and one that has a copy in another layout too.
    """
    same, other = "0000000043_10-K_2020", "0000000044_10-K_2020"
    text = "Revenue was five million dollars. It rose three per cent over the year before. " * 5
    items = ("item_1", "item_1A", "item_7", "item_7A", "item_8")
    stated = {name: value for name, value in FILING.items() if not name.startswith("item_")}
    copies = {}
    for cik in ("43", "44"):
        for name, held in (("whole", dict.fromkeys(items, text)), ("part", dict.fromkeys(items[:4], text + text))):
            copies[name + cik] = path = tmp_path / f"{name}{cik}.json"
            path.write_text(json.dumps(stated | {"cik": cik} | held), encoding="utf-8")
    sentences = [
        SENTENCE
        | {
            "cik": "44",
            "docID": other,
            "sentenceID": f"{other}_section_{item}_{n}",
            "section_item": f"item_{item}",
        }
        | {"sentence_index": n, "sentence": f"{text} {item}"}
        for item in ("1", "7")
        for n in range(2)
    ]
    table = jsonl(tmp_path / "table.jsonl", *sentences)
    renamed = Path(shutil.copy(copies["whole44"], tmp_path / "a.json"))
    state = (
        "select list(distinct section_id order by section_id), count(*), md5(string_agg(sentence_text, '' order by "
        "sentence_id)) from corpus.fct_sentences where filing_id = $filing",
        "select file_path, source_row, section_label, reason, supplied_by from corpus.rejected_rows "
        "where filing_id = $filing order by all",
        "select filing_id, file_path, section_count from corpus.dim_filings where filing_id = $filing",
    )

    def build(*files: Path, options: tuple[str, ...] = ("--exclude", SEEDS)) -> dict[str, list]:
        corpus = empty.linked("corpus", *files)
        empty.build("--select", "+dim_filings", *options, corpus=corpus, company_facts="")
        return {filing: [empty.rows(query, {"filing": filing}) for query in state] for filing in (same, other)}

    first = build(copies["part43"], copies["part44"], options=())
    for filing in (same, other):
        assert first[filing][0][0][0] == ["ITEM_1", "ITEM_1A", "ITEM_7", "ITEM_7A"]
    every = (copies["part43"], copies["whole43"], table, copies["whole44"])
    both = build(*every)
    assert both[same][0][0][0] == ["ITEM_1", "ITEM_1A", "ITEM_7", "ITEM_7A", "ITEM_8"]
    assert both[same][2] == [(same, "corpus/whole43.json", 5)]
    assert both[same][1] == [
        ("corpus/part43.json", 1, item, "duplicate_filing", "corpus/whole43.json") for item in sorted(items[:4])
    ]
    # in another layout
    assert both[other][2] == [(other, "corpus/whole44.json", 5)]
    reasons = {row[3:] for row in both[other][1]}
    assert reasons == {("duplicate_filing", "corpus/whole44.json")} and len(both[other][1]) == 4
    assert build(*every, options=("--full-refresh",)) == both
    # and under another name, which the rejected rows then give
    last = build(copies["part43"], table, renamed)
    assert last[same] == first[same]
    assert {row[3:] for row in last[other][1]} == {("duplicate_filing", "corpus/a.json")}


def only_corpus(project: Path) -> None:
    """Leave of the models those of staging and corpus, which dbt parses in a third of the time, and no test."""
    for name in ("models", "python_models", "tests", "analyses"):
        (project / name).unlink()
        (project / name).mkdir()
    here = ("models/_groups.yml", "python_models/finrag")
    described = ("models/*.md", "models/metrics/*.md")
    folders = [f"{kind}/{folder}/*.*" for kind in ("models", "python_models") for folder in ("staging", "corpus")]
    for path in chain.from_iterable(ROOT.glob(pattern) for pattern in (*here, *described, *folders)):
        # a view of what all other models leave out
        if path.stem != "input_problems":
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

    def build() -> None:
        """With the parse that the last one has left, and what has changed since."""
        arguments = ["build", *WITHOUT_TESTS, "--select", "+fct_sentences", "--vars", at_parse(given)]
        done = run_dbt(arguments, empty.project, environment(**given))
        assert done.returncode == 0, done.stdout

    def changed(*changes: tuple[str, str, str]) -> set[str]:
        before = dict(empty.rows(versions))
        for name, old, new in changes:
            macro = empty.project / "macros" / name
            assert old in macro.read_text(encoding="utf-8")
            macro.write_text(macro.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
        build()
        return {model for model, version in empty.rows(versions) if before[model] != version}

    build()
    # called by staging, above all three
    everything = {"fct_sentences", "rejected_rows", "int_split_sentences"}
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
