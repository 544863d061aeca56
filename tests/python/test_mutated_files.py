"""Every way to damage a file, on every kind of file that users give: rows load as they stand or have a reason.

Each kind has a file of four good rows. A mutation damages one row or the file; what may come of it is stated with it:
the row is rejected and the other three are as they were, or the whole file is, or it is read as if it were good.
"""

from __future__ import annotations

import gzip
import json
import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from csv_files import rows_of
from databases import in_memory
from finrag.answers.external import load_answers
from finrag.cli import toml
from finrag.corpus import sources
from finrag.corpus.layouts import Layout
from finrag.corpus.reader import reader
from finrag.encoders.models import EmbeddingModel
from finrag.errors import FinragError
from finrag.inputs import files, registries
from finrag.inputs.calibration import load_summaries
from finrag.inputs.headlines import load_headlines
from finrag.inputs.hits import load_hits
from finrag.inputs.replies import load_replies
from finrag.inputs.rows import json_values, read_rows
from finrag.inputs.setting import NamedFile
from finrag.inputs.suites import read_suites
from finrag.inputs.summaries import load_pairs
from finrag.inputs.vectors import read_vectors
from warehouses import ROOT

# What comes of a damaged file: the row is rejected, the file is, either of the two, or nothing is.
ROW, FILE, EITHER, GOOD = "row", "file", "either", "good"
DAMAGED = 2  # the number of the damaged row


@dataclass(frozen=True)
class Kind:
    """A kind of file: what loads it, a good row by its number, and the field that holds its text.

    load: the rows that come of a file, each with source_row, reason and detail. held: the column that the text is then
    in. formats: endings of files that it has. outcomes: what comes of a damage here, where it is not what comes of it
    elsewhere; in_lines, in_array: what comes of a damaged row.
    """

    load: Callable[[Path], list[dict]]
    row: Callable[[int], dict]
    text: str
    held: str
    formats: tuple[str, ...] = (".jsonl", ".json", ".parquet")
    outcomes: Mapping[str, str] = field(default_factory=dict)
    in_lines: str = ROW
    in_array: str = ROW

    def outcome(self, ending: str, damage: str, elsewhere: str = ROW) -> str:
        """What comes of a damage in a file of an ending."""
        of_rows = self.in_array if ending == ".json" else self.in_lines
        return self.outcomes.get(damage, of_rows if elsewhere == ROW else elsewhere)


@cache
def database() -> duckdb.DuckDBPyConnection:
    """One for all loads, each of which has a connection of its own: opening one takes longer than most loads."""
    return duckdb.connect()


def by(load: Callable) -> Callable[[Path], list[dict]]:
    """Of a loader that takes a connection and a setting."""

    def rows(path: Path) -> list[dict]:
        with database().cursor() as connection:
            loaded = load(connection, f"'{path}'")
            if isinstance(loaded, pa.Table):
                return loaded.to_pylist()
            rows_of_all = [dict(zip(loaded.columns, row, strict=True)) for row in loaded.fetchall()]
            # what a file of answers or replies leaves out is told too, and is no row of it
            return [row for row in rows_of_all if row.get("reason") not in ("missing_question", "missing_headline")]

    return rows


def headlines(session):
    return session.sql(
        "select 'd:' || i as headline_id, 'd' as dataset, i::varchar as source_id, '' as text_hash"
        " from range(1, 5) t(i)"
    )


def questions(session):
    return session.sql(
        "select 'p3' as suite, 'q' || i as question_id, 'How much was item ' || i || '?' as question_text,"
        " ['Acme'] as company_name from range(1, 5) t(i)"
    )


def strategies(session):
    return session.sql("select 'dense' as strategy")


def regimes(session):
    return session.sql("select 'open' as regime")


def placed_sentences(session):
    return session.sql("select null::text as sentence_id, '' as section_id, 0 as sentence_pos, '' as text_hash limit 0")


def hits(session, setting: str):
    relations = {"regimes": regimes(session), "strategies": strategies(session), "sentences": placed_sentences(session)}
    return load_hits(session, f"mine={setting}", **relations, table="none.none")


LAYOUTS = [
    Layout(row["layout"], row["level"], tuple(row["required_columns"].split("|")), row["any_column_like"])
    for row in rows_of("seeds/corpus_layouts.csv")
]


def source_rows(path: Path) -> list[dict]:
    """The rows of a file of the corpus, or of facts, that staging reads, and those that it leaves out with a fault."""
    with database().cursor() as connection:
        file = sources.inspect(connection, str(path), LAYOUTS, {})
        if file.status == "rejected":
            assert "Expected" in file.reason
            return [{"source_row": 0, "reason": "rejected", "detail": file.reason}]
        faults = json.loads(file.unreadable_rows or "{}")
        relation = reader(file.file_format, str(path), columns_of(connection, file), file.is_damaged)
        read = connection.execute(f"select row_number() over () as source_row, * from {relation}")
        names = [column[0] for column in read.description]
        of_header = [name for name in names if not name.startswith("field ")]
        rows = [{name: row[names.index(name)] for name in of_header} for row in read.fetchall()]
        assert len(rows) == file.row_count
    for row in rows:
        row["detail"] = faults.get(str(row["source_row"]))
        # SQL turns down what states nothing: tests/python/test_source_files.py
        if row["detail"] is None and not any(row[name] for name in of_header if name != "source_row"):
            row["detail"] = "states nothing"
        row["reason"] = row["detail"] and "unreadable_row"
    return rows


def columns_of(connection, file: sources.SourceFile) -> dict[str, str] | None:
    if file.columns_read:
        return dict.fromkeys(json.loads(file.columns_read), "VARCHAR")
    if file.file_format != "json":
        return None
    layout = next(layout for layout in LAYOUTS if layout.layout == file.layout)
    items = {"edgar_crawler": ["item_7"], "edgar_corpus": ["section_7"], "document_tables": ["_id"]}
    return dict.fromkeys([*layout.required_columns, *items.get(layout.layout, [])], "VARCHAR")


# DuckDB takes numbers of any size and NaN for the texts that staging asks for, and does not look at other fields.
BY_TEXT = dict.fromkeys(
    ("an integer of 5,000 digits", "an integer of 400 digits", "an integer beyond 64 bits", "NaN", "a number", "truth"),
    GOOD,
)
SENTENCES = {"sentence": "Sales rose.", "docID": "d", "report_year": 2020, "section_name": "item_7", "cik": "1"}
CORPUS = {"in_array": FILE, "outcomes": BY_TEXT | {"as a gzip by another name": FILE}}
FACTS = CORPUS | {"in_lines": FILE}


def question(i: int) -> dict:
    return {
        **{"question_id": f"q{i}", "cik_int": [i], "company_name": ["Acme"], "years": [2020]},
        **{"question_text": f"How much was item {i}?", "answer_type": "span", "answer_text": f"It was {i}."},
        **{"evidence_sentence_ids": [f"s{i}"], "retrieval_scope": "local", "difficulty": "easy"},
        **{"gold_version": "1", "created_by": "me", "created_at": "2026-01-01", "curation_confidence": 1.0},
    }


KINDS = {
    "answers": Kind(
        by(lambda con, setting: load_answers(con, f"mine={setting}", questions(con), strategies(con))),
        lambda i: {"question_id": f"q{i}", "answer": f"The answer {i}.", "cost_usd": 0.01},
        *("answer", "answer_text"),
    ),
    "summaries": Kind(
        by(lambda con, setting: load_pairs(con, f"mine={setting}")),
        lambda i: {"source": f"Source {i}.", "system": "a", "summary": f"Summary {i}."},
        *("summary", "summary_text"),
    ),
    "headlines": Kind(
        by(lambda con, setting: load_headlines(con, f"mine={setting}", None, -0.1, 0.1)),
        lambda i: {"id": str(i), "text": f"Shares of {i} rise.", "choices": ["positive", "negative"], "gold": 0},
        *("text", "headline_text"),
    ),
    "replies": Kind(
        by(lambda con, setting: load_replies(con, f"mine={setting}", headlines(con))),
        lambda i: {"id": str(i), "reply": f"positive {i}", "input_tokens": 5},
        *("reply", "raw_text"),
    ),
    "calibration": Kind(
        by(lambda con, setting: load_summaries(con, f"mine={setting}", None)),
        lambda i: {"id": str(i), "source": f"Source {i}.", "summary": f"Summary {i}.", "human_quality": 3.0},
        *("summary", "summary_text"),
        outcomes={"NaN": GOOD},
    ),
    "suites": Kind(
        by(lambda con, setting: read_suites(con, f"mine={setting}")), question, "question_text", "record", (".json",)
    ),
    "hits": Kind(
        by(hits),
        lambda i: {"query_id": f"p1:{i}", "sentence_id": f"s{i}", "score": 0.5},
        *("sentence_id", "sentence_id", (".jsonl", ".parquet")),
        outcomes=dict.fromkeys(("an integer beyond 64 bits", "NaN", "a field twice", "a number", "truth"), GOOD),
    ),
    "finsights": Kind(source_rows, lambda i: SENTENCES | {"sentenceID": f"s{i}"}, "sentence", "sentence", **CORPUS),
    "hf_financial_reports": Kind(
        source_rows, lambda i: SENTENCES | {"sentenceID": f"s{i}", "section": 8}, "sentence", "sentence", **CORPUS
    ),
    "document_tables": Kind(
        source_rows,
        lambda i: {"_id": f"d{i}", "title": "Sales", "text": f"Sales rose by {i}."},
        "text",
        "text",
        **CORPUS,
    ),
    "edgar_crawler": Kind(
        source_rows,
        lambda i: {"cik": str(i), "company": "C", "filing_type": "10-K", "filing_date": "2021", "item_7": "Up."},
        *("item_7", "item_7"),
        **CORPUS,
    ),
    "edgar_corpus": Kind(
        source_rows,
        lambda i: {"filename": f"{i}_2020.txt", "cik": str(i), "year": "2020", "section_7": "Up."},
        *("section_7", "section_7"),
        **CORPUS,
    ),
    "company_facts": Kind(
        source_rows,
        lambda i: {"cik": str(i), "year": "2020", "metric_key": "revenue", "value": "5", "unit": "USD"},
        *("metric_key", "metric_key"),
        **FACTS,
    ),
    "companies": Kind(
        source_rows,
        lambda i: {"cik": str(i), "company_name": "Fourth", "ticker": "IV"},
        *("company_name", "company_name"),
        **FACTS,
    ),
}
LINES = [name for name, kind in KINDS.items() if ".jsonl" in kind.formats]
ARRAYS = [name for name, kind in KINDS.items() if ".json" in kind.formats]
PARQUET = [name for name, kind in KINDS.items() if ".parquet" in kind.formats]


def good_texts(kind: Kind) -> list[str]:
    return [json.dumps(kind.row(i)) for i in range(1, 5)]


def write(path: Path, texts: list[str]) -> Path:
    """Lines, or an array where the file's ending says so."""
    text = "[" + ",\n".join(texts) + "]" if path.suffix == ".json" else "\n".join(texts) + "\n"
    path.write_text(text, encoding="utf-8")
    return path


def without_place(row: dict) -> dict:
    """What a row says, without the file that it stands in."""
    named = ("file_path", "source_answer_id", "input_checksum")
    return {name: value for name, value in row.items() if name not in named}


def check(kind: Kind, path: Path, outcome: str, expected: list[dict]) -> list[dict]:
    """What became of the file, held against the outcome; gives the rows with a reason."""
    started = time.monotonic()
    try:
        found = kind.load(path)
    except FinragError as error:
        assert outcome in (FILE, EITHER) and path.name in str(error)
        return [{"reason": "error", "detail": str(error)}]
    assert time.monotonic() - started < 20
    rejected = [row for row in found if row["reason"] is not None]
    loaded = [without_place(row) for row in found if row["reason"] is None]
    if outcome == GOOD:
        assert not rejected and loaded == expected
    elif outcome == FILE or (outcome == EITHER and not loaded):
        assert not loaded and [row["source_row"] for row in rejected] == [0]
    elif outcome == EITHER and not rejected:
        assert loaded == expected
    else:
        assert {row["source_row"] for row in rejected} == {DAMAGED}
        assert loaded == [row for row in expected if row["source_row"] != DAMAGED]
    assert all(row["detail"] for row in rejected)
    return rejected


@pytest.fixture(scope="module")
def expected(tmp_path_factory) -> dict[str, list[dict]]:
    """What comes of the good rows of each kind."""
    folder = tmp_path_factory.mktemp("good")
    found = {
        name: kind.load(write(folder / f"{name}{kind.formats[0]}", good_texts(kind))) for name, kind in KINDS.items()
    }
    for rows in found.values():
        assert len(rows) == 4 and not any(row["reason"] for row in rows)
    return {name: [without_place(row) for row in rows] for name, rows in found.items()}


def deep(levels: int) -> str:
    return "[" * levels + "]" * levels


def damaged(kind: Kind, further: str) -> list[str]:
    """Rows as JSON, one of them with a further field that nobody reads, as JSON or not."""
    texts = good_texts(kind)
    further = further.replace("TEXT", kind.text)
    texts[DAMAGED - 1] = texts[DAMAGED - 1][:-1] + f', "further": {further}}}'
    return texts


# A further field of the damaged row, as JSON writes it: it is read by nobody, and the row cannot be read for it.
VALUES = {
    "an integer of 5,000 digits": "9" * 5000,
    "an integer of 400 digits": "-" + "9" * 400,
    "an integer beyond 64 bits": str(1 << 63),
    "nesting of 200": deep(200),
    "NaN": "NaN",
    "half a surrogate pair": '"\\ud800"',
    "a field twice": '1, "further": 2',
    "the text twice": '1, "TEXT": "B."',
    "no JSON": "1.2.3",
}


@pytest.mark.parametrize("name", LINES)
def test_a_value_that_cannot_be_read_costs_its_row_alone(tmp_path, expected, name):
    kind = KINDS[name]
    for damage, value in VALUES.items():
        outcome = kind.outcome(".jsonl", damage)
        rejected = check(kind, write(tmp_path / "damaged.jsonl", damaged(kind, value)), outcome, expected[name])
        assert outcome != ROW or [row["reason"] for row in rejected] in (["unreadable_row"], ["malformed_row"])


@pytest.mark.parametrize("name", ARRAYS)
def test_in_an_array_too(tmp_path, expected, name):
    kind = KINDS[name]
    for damage, value in VALUES.items():
        if damage != "no JSON":
            path = write(tmp_path / "damaged.json", damaged(kind, value))
            check(kind, path, kind.outcome(".json", damage), expected[name])


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("levels", [2_000, 200_000])
def test_nesting_beyond_what_python_follows(tmp_path, expected, name, levels):
    kind = KINDS[name]
    if name in LINES:
        path = write(tmp_path / "damaged.jsonl", damaged(kind, deep(levels)))
        check(kind, path, kind.outcome(".jsonl", "nesting"), expected[name])
    if name in ARRAYS:
        # an array is parsed whole, and how deep that goes depends on the version of Python
        check(kind, write(tmp_path / "damaged.json", damaged(kind, deep(levels))), EITHER, expected[name])


# The damages of a text, by what stands in its place.
NO_TEXTS = {"a list": ["a"], "an object": {"a": 1}, "a number": 5.5, "truth": True}


@pytest.mark.parametrize("name", KINDS)
def test_a_text_that_is_none(tmp_path, expected, name):
    kind = KINDS[name]
    for damage, value in NO_TEXTS.items():
        rows = [kind.row(i) for i in range(1, 5)]
        rows[DAMAGED - 1][kind.text] = value
        path = write(tmp_path / f"damaged{kind.formats[0]}", [json.dumps(row) for row in rows])
        outcome = kind.outcome(path.suffix, damage)
        if outcome == GOOD:  # it is the text that JSON writes it as
            found = kind.load(path)
            assert [row[kind.held] for row in found if row["source_row"] == DAMAGED] == [json.dumps(value)]
        elif name == "answers":  # numbers and lists are answers; without one it is an error of the system
            found = [row for row in kind.load(path) if row["source_row"] == DAMAGED]
            said = {"a list": "a", "a number": "5.5", "truth": "Yes"}.get(damage)
            assert [row["reason"] for row in found] == [None, *([] if said else ["bad_value", "no_answer"])]
            assert found[0]["answer_text"] == said
        else:
            check(kind, path, outcome, expected[name])


@pytest.mark.parametrize("name", KINDS)
def test_a_row_that_is_no_object_or_an_empty_one(tmp_path, expected, name):
    kind = KINDS[name]
    for text in ("null", "{}", "5", '"a text"', "[]", "[1, 2]"):
        for ending in {".jsonl", ".json"} & {*kind.formats}:
            texts = good_texts(kind)
            texts[DAMAGED - 1] = text
            states_nothing = text in ("null", "{}")
            outcome = ROW if states_nothing else kind.outcome(ending, "no object")
            check(kind, write(tmp_path / f"damaged{ending}", texts), outcome, expected[name])


@pytest.mark.parametrize("name", KINDS)
def test_texts_load_as_they_stand(tmp_path, name):
    kind = KINDS[name]
    for text in ("é", "a\u0000b", "x" * 10_000_000, "\U0001f600", " "):
        rows = [kind.row(i) for i in range(1, 5)]
        rows[DAMAGED - 1][kind.text] = f"[= {rows[DAMAGED - 1][kind.text]}{text}."
        found = kind.load(write(tmp_path / f"good{kind.formats[0]}", [json.dumps(row) for row in rows]))
        assert not any(row["reason"] for row in found)
        held = next(row for row in found if row["source_row"] == DAMAGED)[kind.held]
        stated = rows[DAMAGED - 1][kind.text]
        assert (json.loads(held)[kind.text] if name == "suites" else held) == stated


def packed(text: str) -> bytes:
    return gzip.compress(text.encode())


# The bytes of a whole file from its good text, and what comes of them.
WHOLE_FILES = {
    "with a byte order mark": (lambda text: text.encode("utf-8-sig"), GOOD, ""),
    "in UTF-16": (lambda text: text.encode("utf-16"), FILE, "UTF-16"),
    "in Latin-1": (lambda text: text.replace("e", "é").encode("latin-1"), FILE, "UTF-8"),
    "with CRLF": (lambda text: text.replace("\n", "\r\n").encode(), GOOD, ""),
    "as a gzip by another name": (packed, GOOD, "gzip"),
    "as a gzip": (packed, GOOD, ""),
    "as a gzip of two members": (lambda text: packed(text[:40]) + packed(text[40:]), GOOD, ""),
    "as a gzip that is cut": (lambda text: packed(text)[:-12], FILE, ""),
    "as a damaged gzip": (lambda text: packed(text)[:20] + b"\0\0\0\0" + packed(text)[24:], FILE, ""),
    "without a byte": (lambda text: b"", FILE, ""),
    "with blanks only": (lambda text: b"\n \n", FILE, ""),
    "as an empty list": (lambda text: b"[]", FILE, ""),
    "as bytes": (lambda text: bytes(range(256)) * 10, FILE, ""),
}


@pytest.mark.parametrize("name", KINDS)
def test_a_whole_file(tmp_path, expected, name):
    kind = KINDS[name]
    for damage, (change, elsewhere, said) in WHOLE_FILES.items():
        ending = kind.formats[0]
        text = write(tmp_path / f"whole{ending}", good_texts(kind)).read_text(encoding="utf-8")
        path = tmp_path / f"{damage}{ending}{'.gz' if 'gzip' in damage and 'name' not in damage else ''}"
        path.write_bytes(change(text))
        outcome = kind.outcome(ending, damage, elsewhere)
        for rejected in check(kind, path, outcome, expected[name]):
            assert said in rejected["detail"]


@pytest.mark.parametrize("name", LINES)
def test_lines_that_are_cut(tmp_path, expected, name):
    """What is whole is loaded, and the cut row is a rejected one, or the file is turned down, wherever the cut is."""
    kind = KINDS[name]
    content = write(tmp_path / "good.jsonl", good_texts(kind)).read_bytes()
    ends = [place for place, byte in enumerate(content) if byte == ord("\n")]
    for end in range(ends[0] + 1, ends[2], 23):
        path = tmp_path / "cut.jsonl"
        path.write_bytes(content[:end])
        found = kind.load(path)
        whole = sum(place <= end for place in ends)
        rows = content[:end].rstrip(b"\n").count(b"\n") + 1
        if kind.in_lines == FILE and rows > whole:
            assert [row["source_row"] for row in found] == [0]
        else:
            assert [without_place(row) for row in found if not row["reason"]][:whole] == expected[name][:whole]
            assert len({row["source_row"] for row in found}) == rows


@pytest.mark.parametrize("name", ARRAYS)
def test_an_array_that_is_cut_is_turned_down(tmp_path, expected, name):
    kind = KINDS[name]
    content = write(tmp_path / "whole.json", good_texts(kind)).read_bytes()
    for end in {*range(1, len(content), 61), content.rindex(b",\n")}:
        (tmp_path / "cut.json").write_bytes(content[:end])
        check(kind, tmp_path / "cut.json", FILE, expected[name])


@pytest.mark.parametrize("name", KINDS)
def test_what_is_unpacked_is_bounded(tmp_path, name, monkeypatch):
    kind = KINDS[name]
    monkeypatch.setattr(files, "LARGEST_BYTES", 5 << 20)
    path = tmp_path / f"bomb{kind.formats[0]}.gz"
    path.write_bytes(gzip.compress(b" " * (10 << 20)))
    assert path.stat().st_size < 100_000
    (rejected,) = check(kind, path, FILE, [])
    # what DuckDB reads it reads in pieces
    assert kind.load is source_rows or "more than 5 MiB unpacked" in rejected["detail"]


def parquet(path: Path, columns: dict) -> Path:
    pq.write_table(pa.table(columns), path)
    return path


@pytest.mark.parametrize("name", PARQUET)
def test_parquet(tmp_path, expected, name):
    kind = KINDS[name]
    table = pa.Table.from_pylist([kind.row(i) for i in range(1, 5)])
    good = parquet(tmp_path / "good.parquet", dict(zip(table.column_names, table.columns, strict=True)))
    rows = [without_place(row) for row in kind.load(good)]
    assert [row[kind.held] for row in rows] == [row[kind.held] for row in expected[name]]
    content = good.read_bytes()
    for end in (0, 3, 50, len(content) // 2, len(content) - 1):
        (tmp_path / "cut.parquet").write_bytes(content[:end])
        check(kind, tmp_path / "cut.parquet", FILE, rows)

    twice = pa.Table.from_arrays([*table.columns, table.column(0)], names=[*table.column_names, table.column_names[0]])
    pq.write_table(twice, tmp_path / "twice.parquet")
    (rejected,) = check(kind, tmp_path / "twice.parquet", FILE, rows)
    assert "twice" in rejected["detail"]

    place = table.column_names.index(kind.text)
    no_text = pa.array([b"\xff\xfe"] * 4, pa.binary())
    no_texts = [no_text, pa.array([datetime(2020, 1, 1)] * 4), no_text.cast(pa.large_binary())]
    # a list is an answer
    for values in no_texts + [pa.array([["a"]] * 4)] * (name != "answers"):
        pq.write_table(table.set_column(place, kind.text, values), tmp_path / "other.parquet")
        assert is_all_refused(kind, tmp_path / "other.parquet")
    as_text = pa.Array.from_buffers(pa.string(), 4, no_text.buffers())
    pq.write_table(table.set_column(place, kind.text, as_text), tmp_path / "bad.parquet")
    check(kind, tmp_path / "bad.parquet", FILE, rows)

    for empty in (table.slice(0, 0), pa.table({})):
        pq.write_table(empty, tmp_path / "empty.parquet")
        check(kind, tmp_path / "empty.parquet", FILE, rows)


def is_all_refused(kind: Kind, path: Path) -> bool:
    """Whether nothing of a file is loaded, with a reason for every row or for the file."""
    try:
        found = kind.load(path)
    except FinragError:
        return True
    places = {row["source_row"] for row in found if row["reason"]}
    return places in ({0}, {1, 2, 3, 4}) and all(row["detail"] for row in found if row["reason"])


@pytest.mark.parametrize("name", [name for name in PARQUET if KINDS[name].load is not source_rows and name != "hits"])
def test_rows_that_are_too_many(tmp_path, name):
    """Files of the corpus, of hits and of vectors may have any number: they are read by columns."""
    kind = KINDS[name]
    parquet(tmp_path / "bomb.parquet", {kind.text: pa.repeat(kind.row(1)[kind.text], 3_000_000)})
    assert (tmp_path / "bomb.parquet").stat().st_size < 500_000
    (rejected,) = check(kind, tmp_path / "bomb.parquet", FILE, [])
    assert "3,000,000 rows" in rejected["detail"]


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        ("source,system,summary\nS.,a,T.\n", [None]),
        ("source,system,summary\nS.,a\nS.,a,T.,more\n\nS.,a,T.\n", ["unreadable_row", "unreadable_row", None]),
        ('source,system,summary\nS.,a,"T.\nS.,a,T.\n', ["unreadable_file"]),
        ("source,system,summary,system\nS.,a,T.,b\n", ["unreadable_file"]),
        ("source,system,summary\n", ["no_rows"]),
        ("", ["no_rows"]),
        ("source\tsystem\tsummary\nS.\ta\tOne.\n", ["unreadable_file"]),
        # as Excel writes them: parted by semicolons, columns without a name
        ('source;system;summary\n"S; ""T"".";a;One, two.\n', ["unreadable_file"]),
        ("sep=;\nsource;system;summary\nS.;a;One.\n", ["unreadable_file"]),
        ("source,system,summary,,\nS.,a,One.,,\n", [None]),
        ('source,system,summary\nS.,a,"' + "x" * 10_000_000 + '"\n', [None]),
    ],
    ids=[
        *("good", "fewer and more fields", "an open quote", "a column twice", "no rows", "empty", "tabs"),
        *("semicolons", "their name", "columns without a name", "10 MB"),
    ],
)
def test_csv(tmp_path, text, reasons):
    path = tmp_path / "file.csv"
    path.write_text(text, encoding="utf-8")
    assert [row["reason"] for row in KINDS["summaries"].load(path)] == reasons


def with_record(text: str, record: str) -> str:
    """The CSV with this in place of its second row."""
    lines = text.split("\n")
    return "\n".join([*lines[:DAMAGED], record, *lines[DAMAGED + 1 :]])


CSV_FILES = {
    "fewer fields": (lambda text: with_record(text, "1,2"), ROW),
    "more fields": (lambda text: with_record(text, "1," * 40), ROW),
    "far more fields": (lambda text: with_record(text, "1," * 2_000), FILE),
    "an open quote": (lambda text: text + '"' + "1," * 40, FILE),
    "a header only": (lambda text: text.partition("\n")[0] + "\n", FILE),
    "a column twice": (lambda text: "\n".join(f"{line},{line.partition(',')[0]}" for line in text.split()), FILE),
    "tabs": (lambda text: text.replace(",", "\t"), FILE),
    "semicolons": (lambda text: text.replace(",", ";"), FILE),
    "a zip": (lambda text: "PK\3\4" + text, FILE),
    "a quote within": (lambda text: with_record(text, '1"2' * 3), ROW),
    "a text after a quote": (lambda text: with_record(text, '"1"2,3'), FILE),
    "CRLF": (lambda text: text.replace("\n", "\r\n"), GOOD),
    "a byte order mark": (lambda text: "\ufeff" + text, GOOD),
}


@pytest.mark.parametrize("name", [name for name, kind in KINDS.items() if kind.load is source_rows])
def test_csv_of_the_corpus(tmp_path, name):
    """A row of other fields costs itself, or a file of facts; where a quote stands open, rows cannot be told apart."""
    kind = KINDS[name]
    path = tmp_path / "file.csv"
    rows = [{column: str(value).replace(" ", "_") for column, value in kind.row(i).items()} for i in range(1, 5)]
    text = "".join(",".join(values) + "\n" for values in [rows[0], *(row.values() for row in rows)])
    path.write_text(text, encoding="utf-8")
    expected = kind.load(path)
    assert len(expected) == 4 and not any(row["reason"] for row in expected)
    for change, outcome in CSV_FILES.values():
        path.write_bytes(change(text).encode())
        check(kind, path, kind.in_lines if outcome == ROW else outcome, expected)
    for encoding in ("utf-16", "latin-1"):
        path.write_bytes((text + "é").encode(encoding))
        check(kind, path, FILE, expected)


MODEL = EmbeddingModel("mine", "imported", None, 2)
VECTORS = {"sentence_id": ["s1", "s2", "s3", "s4"], "vector": [[1.0, 0.0], [0.0, 1.0], [0.6, 0.8], [1.0, 0.0]]}
NO_UTF8 = pa.array([b"\xff"] * 4, pa.binary())


def vectors_of(path: Path) -> tuple[list[int], list[tuple[int, str]]]:
    """Numbers of the rows that are used, and those that are not, with why."""
    rejected: list[pa.Table] = []
    rows = read_vectors(MODEL, [str(path)], rejected)
    left_out = [(row["source_row"], row["reason"]) for table in rejected for row in table.to_pylist()]
    return ([] if rows is None else rows.source_row.tolist()), sorted(left_out)


@pytest.mark.parametrize(
    ("vector", "reason"),
    [
        ([1.0], "wrong_dimension"),
        ([1.0] * 100_000, "wrong_dimension"),
        ([], "no_vector"),
        (None, "no_vector"),
        ([1.0, None], "no_vector"),
        ([1.0, float("nan")], "not_finite"),
        ([1.0, float("-inf")], "not_finite"),
        ([1.0, 1e300], "not_finite"),
        ([0.0, 1e-300], "zero_norm"),
    ],
    ids=str,
)
def test_a_vector_that_is_none_costs_its_row_alone(tmp_path, vector, reason):
    given = [*VECTORS["vector"]]
    given[DAMAGED - 1] = vector
    path = parquet(tmp_path / "v.parquet", VECTORS | {"vector": pa.array(given, pa.list_(pa.float64()))})
    assert vectors_of(path) == ([1, 3, 4], [(DAMAGED, reason)])


@pytest.mark.parametrize(
    "columns",
    [
        {"sentence_id": NO_UTF8},
        {"sentence_id": pa.Array.from_buffers(pa.string(), 4, NO_UTF8.buffers())},
        {"sentence_id": [["s"]] * 4},
        {"vector": [["a", "b"]] * 4},
        {"vector": [[[1.0], [2.0]]] * 4},
        {"vector": ["1,2"] * 4},
        {"role": [{"a": 1}] * 4},
        {"role": NO_UTF8},
    ],
    ids=["bytes", "no UTF-8", "lists", "texts", "lists of lists", "a text", "an object", "a role of bytes"],
)
def test_columns_that_hold_no_vectors(tmp_path, columns):
    path = parquet(tmp_path / "v.parquet", VECTORS | columns)
    with pytest.raises(FinragError, match=r"v\.parquet.*Expected Parquet with"):
        vectors_of(path)


def test_files_that_hold_no_vectors(tmp_path):
    path = parquet(tmp_path / "v.parquet", VECTORS)
    assert vectors_of(path) == ([1, 2, 3, 4], [])
    content = path.read_bytes()
    table = pa.table(VECTORS)
    twice = pa.Table.from_arrays([*table.columns, table["vector"]], names=[*table.column_names, "vector"])
    pq.write_table(twice, tmp_path / "twice.parquet")
    damages = [content[:end] for end in (0, 3, 50, len(content) // 2, len(content) - 1)]
    damages += [b"not Parquet", gzip.compress(content), (tmp_path / "twice.parquet").read_bytes()]
    for damage in damages:
        path.write_bytes(damage)
        with pytest.raises(FinragError, match=r"v\.parquet.*Expected Parquet with"):
            vectors_of(path)
    parquet(
        path, {name: values[:0] for name, values in VECTORS.items()} | {"vector": pa.array([], pa.list_(pa.float64()))}
    )
    assert vectors_of(path) == ([], [])


REGISTRY_TEXT = "statistic,threshold,note\nspearman,0.5,a\nkendall_tau_b,0.25,b\n"
REGISTRY_FILES = {
    "fewer fields": (lambda text: text + "x,1\n", "line 4: it has 2 values where there are 3"),
    "an open quote": (lambda text: text + 'x,"1', "line 4: unexpected end of data. Look for a quote without its other"),
    "a renamed column": (lambda text: text.replace("threshold", "limit"), "the columns threshold are missing"),
    "a missing column": (lambda text: text.replace("statistic,", "", 1), "the columns statistic are missing"),
    "a further column": (lambda text: text.replace("\n", ",more\n"), "column more: there is none"),
    "another delimiter": (lambda text: text.replace(",", ";"), "the columns statistic, threshold, note are missing"),
    "UTF-16": (lambda text: text.encode("utf-16"), "is UTF-16 text; save it as UTF-8"),
    "Latin-1": (lambda text: text.encode() + b"\xe9\n", "is no UTF-8 text"),
    "bytes": (lambda text: bytes(range(256)), "is no UTF-8 text"),
    "a cut gzip": (lambda text: packed(text)[:-12], "ends too early"),
    "empty": (lambda text: "", "the columns statistic, threshold, note are missing"),
    "no number": (lambda text: text.replace("0.25", "much"), "line 3, column threshold: 'much' is no double"),
    "NaN": (lambda text: text.replace("0.25", "NaN"), "line 3, column threshold: 'NaN' is no double"),
    "infinity": (lambda text: text.replace("0.25", "-inf"), "line 3, column threshold: '-inf' is no double"),
    "the same key": (lambda text: text + "spearman,1,c\n", "line 4, column statistic: "),
    "no key": (lambda text: text + ",1,c\n", "line 4, column statistic: it must not be empty"),
    "5,000 digits": (lambda text: text.replace("0.25", "9" * 5000), "column threshold"),
}


@pytest.fixture
def registry(tmp_path) -> Path:
    shutil.copy(ROOT / "seeds" / "judge_thresholds.yml", tmp_path)
    path = tmp_path / "judge_thresholds.csv"
    path.write_text(REGISTRY_TEXT, encoding="utf-8")
    return path


@pytest.mark.parametrize(("change", "said"), REGISTRY_FILES.values(), ids=REGISTRY_FILES.keys())
def test_a_registry(registry, change, said):
    registries.check(registry.parent)
    changed = change(REGISTRY_TEXT)
    registry.write_bytes(changed if isinstance(changed, bytes) else changed.encode())
    with pytest.raises(FinragError) as error:
        registries.check(registry.parent)
    assert str(registry) in str(error.value) and said in str(error.value)


def test_a_registry_that_is_cut(registry):
    """Every line that is whole is read as it stands, or the file is turned down, wherever the cut is."""
    whole = [row.values for row in registries.Registry(registry).stated]
    for end in range(len(REGISTRY_TEXT)):
        registry.write_text(REGISTRY_TEXT[:end], encoding="utf-8")
        count = max(REGISTRY_TEXT[:end].count("\n") - 1, 0)
        try:
            rows = [row.values for row in registries.Registry(registry).stated]
        except FinragError as error:
            assert str(registry) in str(error)
        else:
            assert rows[:count] == whole[:count] and len(rows) <= count + 1


PROJECT_TEXT = 'suites = ["a.json"]\n[corpus]\npaths = "f/*.json"\n[budgets]\nusd = 2.5\n'
PROJECT_FILES = {
    "UTF-16": lambda text: text.encode("utf-16"),
    "Latin-1": lambda text: text.replace("a.json", "é.json").encode("latin-1"),
    "bytes": lambda text: bytes(range(256)),
    "NUL": lambda text: text.replace("a.json", "a\0.json").encode(),
    "a cut gzip": lambda text: packed(text)[:-12],
    "no TOML": lambda text: text.replace("=", "", 1).encode(),
    "a key twice": lambda text: (text + "usd = 3\n").encode(),
    "a table twice": lambda text: (text + "[corpus]\n").encode(),
    "an open quote": lambda text: text.replace('"]', "]").encode(),
    "5,000 digits": lambda text: (text + "replicates = " + "9" * 5000).encode(),
    "no number": lambda text: text.replace("2.5", "true").encode(),
    "a date": lambda text: text.replace("2.5", "2020-01-01").encode(),
    "an unknown key": lambda text: (text + "eur = 3\n").encode(),
    "a list of lists": lambda text: text.replace('["a.json"]', '[["a.json"]]').encode(),
    "a table for a text": lambda text: text.replace('"f/*.json"', "{ a = 1 }").encode(),
    "deep nesting": lambda text: text.replace('["a.json"]', deep(2_000)).encode(),
    "deeper nesting": lambda text: text.replace('["a.json"]', deep(200_000)).encode(),
}


@pytest.fixture
def project_file(tmp_path) -> Path:
    path = tmp_path / "finrag.toml"
    path.write_text(PROJECT_TEXT, encoding="utf-8")
    return path


@pytest.mark.parametrize("change", PROJECT_FILES.values(), ids=PROJECT_FILES.keys())
def test_finrag_toml(project_file, change):
    project_file.write_bytes(change(PROJECT_TEXT))
    with pytest.raises(FinragError, match=r"finrag\.toml"):
        toml.variables(project_file, {})


def test_finrag_toml_that_is_cut_or_written_elsewhere(project_file):
    stated = {"question_suites": "a.json", "corpus": "f/*.json", "llm_budget_usd": 2.5}
    for content in (PROJECT_TEXT.encode("utf-8-sig"), PROJECT_TEXT.replace("\n", "\r\n").encode()):
        project_file.write_bytes(content)
        assert toml.variables(project_file, {}) == stated
    for end in range(len(PROJECT_TEXT)):
        project_file.write_text(PROJECT_TEXT[:end], encoding="utf-8")
        try:
            found = toml.variables(project_file, {})
        except FinragError as error:
            assert "finrag.toml" in str(error)
        else:
            # a number that is cut is another one
            assert found.items() <= stated.items() or found == stated | {"llm_budget_usd": 2}


def test_a_file_that_goes_while_it_is_asked_for(tmp_path):
    (row,) = read_rows(NamedFile("mine", str(tmp_path / "gone.jsonl")))
    assert (row.number, row.reason) == (0, "unreadable_file")
    assert not (tmp_path / "gone.jsonl").exists()


def test_an_empty_file_is_said_to_be_empty(tmp_path):
    for name in ("a.json", "a.jsonl"):
        (tmp_path / name).write_text(" \n", encoding="utf-8")
        (row,) = read_rows(NamedFile("mine", str(tmp_path / name)))
        assert (row.number, row.reason, row.detail) == (0, "unreadable_file", "is empty")
        with in_memory() as session, pytest.raises(FinragError, match=r"cannot be read: is empty\. It must be"):
            read_suites(session, str(tmp_path / name))


@pytest.mark.parametrize(
    ("text", "has_lines", "held", "numbers"),
    [
        ('[{"a": 1}]', False, [{"a": 1}], None),
        ('{"a": 1}', True, {"a": 1}, None),
        ('{"a": 1}\n\n{"b": 2}', False, [{"a": 1}, {"b": 2}], [1, 3]),
        ("1\n2", True, [1, 2], [1, 2]),
    ],
)
def test_lines_of_json_are_told_in_one_place(text, has_lines, held, numbers):
    """By what they hold, whatever the file is called."""
    assert json_values(text, has_lines) == (held, numbers)
    with pytest.raises(ValueError, match="no JSON"):
        json_values("1\n2", has_lines=False)
