"""Every way to damage a file, on every kind of file that users give: rows load as they stand or have a reason.

Each kind has a file of four good rows. A mutation damages one row or the file; what may come of it is stated with it:
the row is rejected and the other three are as they were, or the whole file is, or it is read as if it were good.
"""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from finrag.answers.external import load_answers
from finrag.errors import FinragError
from finrag.inputs import files
from finrag.inputs.calibration import load_summaries
from finrag.inputs.headlines import load_headlines
from finrag.inputs.replies import load_replies
from finrag.inputs.rows import read_rows
from finrag.inputs.setting import NamedFile
from finrag.inputs.suites import read_suites
from finrag.inputs.summaries import load_pairs

# What comes of a damaged file: the row is rejected, the file is, either of the two, or nothing is.
ROW, FILE, EITHER, GOOD = "row", "file", "either", "good"
DAMAGED = 2  # the number of the damaged row


@dataclass(frozen=True)
class Kind:
    """A kind of file: how it is loaded, a good row by its number, and the field that holds its text."""

    load: Callable
    row: Callable[[int], dict]
    text: str


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


def question(i: int) -> dict:
    return {
        **{"question_id": f"q{i}", "cik_int": [i], "company_name": ["Acme"], "years": [2020]},
        **{"question_text": f"How much was item {i}?", "answer_type": "span", "answer_text": f"It was {i}."},
        **{"evidence_sentence_ids": [f"s{i}"], "retrieval_scope": "local", "difficulty": "easy"},
        **{"gold_version": "1", "created_by": "me", "created_at": "2026-01-01", "curation_confidence": 1.0},
    }


KINDS = {
    "answers": Kind(
        lambda con, setting: load_answers(con, f"mine={setting}", questions(con), strategies(con)),
        lambda i: {"question_id": f"q{i}", "answer": f"The answer {i}.", "cost_usd": 0.01},
        "answer",
    ),
    "summaries": Kind(
        lambda con, setting: load_pairs(con, f"mine={setting}"),
        lambda i: {"source": f"Source {i}.", "system": "a", "summary": f"Summary {i}."},
        "summary",
    ),
    "headlines": Kind(
        lambda con, setting: load_headlines(con, f"mine={setting}", None, -0.1, 0.1),
        lambda i: {"id": str(i), "text": f"Shares of {i} rise.", "choices": ["positive", "negative"], "gold": 0},
        "text",
    ),
    "replies": Kind(
        lambda con, setting: load_replies(con, f"mine={setting}", headlines(con)),
        lambda i: {"id": str(i), "reply": f"positive {i}", "input_tokens": 5},
        "reply",
    ),
    "calibration": Kind(
        lambda con, setting: load_summaries(con, f"mine={setting}", None),
        lambda i: {"id": str(i), "source": f"Source {i}.", "summary": f"Summary {i}.", "human_quality": 3.0},
        "summary",
    ),
    "suites": Kind(lambda con, setting: read_suites(con, f"mine={setting}"), question, "question_text"),
}
LINES = [name for name in KINDS if name != "suites"]


def rows_of(kind: Kind, path: Path) -> list[dict]:
    with duckdb.connect() as connection:
        relation = kind.load(connection, f"'{path}'")
        return [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]


def good_texts(kind: Kind) -> list[str]:
    return [json.dumps(kind.row(i)) for i in range(1, 5)]


def write(path: Path, texts: list[str]) -> Path:
    """Lines, or an array where the file's ending says so."""
    text = "[" + ",\n".join(texts) + "]" if path.suffix == ".json" else "\n".join(texts) + "\n"
    path.write_text(text, encoding="utf-8")
    return path


def without_place(row: dict) -> dict:
    """What a row says, without the file that it stands in."""
    return {name: value for name, value in row.items() if name not in ("file_path", "source_answer_id")}


def check(kind: Kind, path: Path, outcome: str, expected: list[dict]) -> list[dict]:
    """What became of the file, held against the outcome; gives the rows with a reason."""
    started = time.monotonic()
    try:
        found = rows_of(kind, path)
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
    else:
        assert {row["source_row"] for row in rejected} == {DAMAGED}
        assert loaded == [row for row in expected if row["source_row"] != DAMAGED]
    assert all(row["detail"] for row in rejected)
    return rejected


def expected_rows(kind: Kind, folder: Path) -> list[dict]:
    suffix = ".json" if kind is KINDS["suites"] else ".jsonl"
    found = rows_of(kind, write(folder / f"good{suffix}", good_texts(kind)))
    assert len(found) == 4 and not any(row["reason"] for row in found)
    return [without_place(row) for row in found]


def deep(levels: int) -> str:
    return "[" * levels + "]" * levels


# A further field of the damaged row, as JSON writes it: it is read by nobody, and the row cannot be read for it.
VALUES = {
    "an integer of 5,000 digits": "9" * 5000,
    "an integer of 400 digits": "-" + "9" * 400,
    "an integer beyond 64 bits": str(1 << 63),
    "nesting of 200": deep(200),
    "NaN": "NaN",
    "half a surrogate pair": '"\\ud800"',
    "a field twice": '1, "further": 2',
    "no JSON": "1.2.3",
}


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES.keys())
def test_a_value_that_cannot_be_read_costs_its_row_alone(tmp_path, name, value):
    kind = KINDS[name]
    texts = good_texts(kind)
    texts[DAMAGED - 1] = texts[DAMAGED - 1][:-1] + f', "further": {value}}}'
    (rejected,) = check(kind, write(tmp_path / "damaged.jsonl", texts), ROW, expected_rows(kind, tmp_path))
    assert rejected["reason"] == "unreadable_row"


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("value", [value for name, value in VALUES.items() if name != "no JSON"])
def test_in_an_array_too(tmp_path, name, value):
    kind = KINDS[name]
    texts = good_texts(kind)
    texts[DAMAGED - 1] = texts[DAMAGED - 1][:-1] + f', "further": {value}}}'
    check(kind, write(tmp_path / "damaged.json", texts), ROW, expected_rows(kind, tmp_path))


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("levels", [2_000, 200_000])
def test_nesting_beyond_what_python_follows(tmp_path, name, levels):
    kind = KINDS[name]
    texts = good_texts(kind)
    texts[DAMAGED - 1] = texts[DAMAGED - 1][:-1] + f', "further": {deep(levels)}}}'
    expected = expected_rows(kind, tmp_path)
    if name in LINES:
        check(kind, write(tmp_path / "damaged.jsonl", texts), ROW, expected)
    # an array is parsed whole, and how deep that goes depends on the version of Python
    check(kind, write(tmp_path / "damaged.json", texts), EITHER, expected)


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("value", [["a"], {"a": 1}, 5.5, True], ids=str)
def test_a_text_that_is_none(tmp_path, name, value):
    kind = KINDS[name]
    rows = [kind.row(i) for i in range(1, 5)]
    rows[DAMAGED - 1][kind.text] = value
    path = write(tmp_path / "damaged.json", [json.dumps(row) for row in rows])
    expected = expected_rows(kind, tmp_path)
    if name == "answers":  # a question that has no answer is an error of the system, and counts as one
        found = rows_of(kind, path)
        assert [row["reason"] for row in found if row["source_row"] == DAMAGED] == [None, "bad_value", "no_answer"]
        assert [row["answer_text"] for row in found if not row["reason"]][DAMAGED - 1] is None
        return
    check(kind, path, ROW, expected)


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("row", ["null", "5", '"a text"', "[]", "{}", "[1, 2]"])
def test_a_row_that_is_no_object_or_an_empty_one(tmp_path, name, row):
    kind = KINDS[name]
    texts = good_texts(kind)
    texts[DAMAGED - 1] = row
    check(kind, write(tmp_path / "damaged.json", texts), ROW, expected_rows(kind, tmp_path))


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("text", ["é", "a\u0000b", "x" * 10_000_000, "\U0001f600", " "], ids=lambda text: text[:3])
def test_texts_load_as_they_stand(tmp_path, name, text):
    kind = KINDS[name]
    rows = [kind.row(i) for i in range(1, 5)]
    rows[DAMAGED - 1][kind.text] += text + "."
    suffix = ".jsonl" if name in LINES else ".json"
    found = rows_of(kind, write(tmp_path / f"good{suffix}", [json.dumps(row) for row in rows]))
    column = {"suites": "record", "answers": "answer_text", "headlines": "headline_text", "replies": "raw_text"}
    held = next(row for row in found if row["source_row"] == DAMAGED)[column.get(name, "summary_text")]
    assert (json.loads(held)[kind.text] if name == "suites" else held) == rows[DAMAGED - 1][kind.text]
    assert not any(row["reason"] for row in found)


def packed(text: str) -> bytes:
    return gzip.compress(text.encode())


# The bytes of a whole file from its good text, and what comes of them.
WHOLE_FILES = {
    "with a byte order mark": (lambda text: text.encode("utf-8-sig"), GOOD, ""),
    "in UTF-16": (lambda text: text.encode("utf-16"), FILE, "UTF-16"),
    "in Latin-1": (lambda text: text.replace("e", "é").encode("latin-1"), FILE, "no UTF-8"),
    "with CRLF": (lambda text: text.replace("\n", "\r\n").encode(), GOOD, ""),
    "as a gzip": (packed, GOOD, ""),
    "as a gzip of two members": (lambda text: packed(text[:40]) + packed(text[40:]), GOOD, ""),
    "as a gzip that is cut": (lambda text: packed(text)[:-12], FILE, "ends too early"),
    "as a damaged gzip": (lambda text: packed(text)[:20] + b"\0\0\0\0" + packed(text)[24:], FILE, "damaged gzip"),
    "without a byte": (lambda text: b"", FILE, ""),
    "with blanks only": (lambda text: b"\n \n", FILE, ""),
    "as an empty list": (lambda text: b"[]", FILE, ""),
    "as bytes": (lambda text: bytes(range(256)) * 10, FILE, ""),
}


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize(("change", "outcome", "said"), WHOLE_FILES.values(), ids=WHOLE_FILES.keys())
def test_a_whole_file(tmp_path, name, change, outcome, said):
    kind = KINDS[name]
    suffix = ".jsonl" if name in LINES else ".json"
    path = write(tmp_path / f"whole{suffix}", good_texts(kind))
    path.write_bytes(change(path.read_text(encoding="utf-8")))
    for rejected in check(kind, path, outcome, expected_rows(kind, tmp_path)):
        assert said in rejected["detail"]


@pytest.mark.parametrize("name", LINES)
def test_lines_that_are_cut(tmp_path, name):
    """What is whole is loaded, and the cut row is a rejected one, wherever the cut is."""
    kind = KINDS[name]
    expected = expected_rows(kind, tmp_path)
    content = (tmp_path / "good.jsonl").read_bytes()
    ends = [place for place, byte in enumerate(content) if byte == ord("\n")]
    for end in range(ends[0] + 1, ends[2], 7):
        path = tmp_path / "cut.jsonl"
        path.write_bytes(content[:end])
        found = rows_of(kind, path)
        whole = sum(place <= end for place in ends)
        assert [without_place(row) for row in found if not row["reason"]][:whole] == expected[:whole]
        assert len({row["source_row"] for row in found}) == content[:end].rstrip(b"\n").count(b"\n") + 1


@pytest.mark.parametrize("name", KINDS)
def test_an_array_that_is_cut_is_turned_down(tmp_path, name):
    kind = KINDS[name]
    expected = expected_rows(kind, tmp_path)
    content = write(tmp_path / "whole.json", good_texts(kind)).read_bytes()
    for end in range(1, len(content), 37):
        (tmp_path / "cut.json").write_bytes(content[:end])
        check(kind, tmp_path / "cut.json", FILE, expected)


@pytest.mark.parametrize("name", KINDS)
def test_what_is_unpacked_is_bounded(tmp_path, name, monkeypatch):
    kind = KINDS[name]
    monkeypatch.setattr(files, "LARGEST_BYTES", 5 << 20)
    path = tmp_path / ("bomb.jsonl" if name in LINES else "bomb.json")
    path.write_bytes(gzip.compress(b" " * (50 << 20)))
    assert path.stat().st_size < 100_000
    (rejected,) = check(kind, path, FILE, [])
    assert "more than 5 MiB unpacked" in rejected["detail"]


def parquet(path: Path, columns: dict) -> Path:
    pq.write_table(pa.table(columns), path)
    return path


@pytest.mark.parametrize("name", LINES)
def test_parquet(tmp_path, name):
    kind = KINDS[name]
    expected = expected_rows(kind, tmp_path)
    table = pa.Table.from_pylist([kind.row(i) for i in range(1, 5)])
    good = parquet(tmp_path / "good.parquet", dict(zip(table.column_names, table.columns, strict=True)))
    check(kind, good, GOOD, expected)
    content = good.read_bytes()
    for end in (0, 3, 50, len(content) // 2, len(content) - 1):
        (tmp_path / "cut.parquet").write_bytes(content[:end])
        check(kind, tmp_path / "cut.parquet", FILE, expected)

    twice = pa.Table.from_arrays([*table.columns, table.column(0)], names=[*table.column_names, table.column_names[0]])
    pq.write_table(twice, tmp_path / "twice.parquet")
    (rejected,) = check(kind, tmp_path / "twice.parquet", FILE, expected)
    assert "twice" in rejected["detail"]

    no_text = pa.array([b"\xff\xfe"] * 4, pa.binary())
    for values in (no_text, pa.array([datetime(2020, 1, 1)] * 4), no_text.view(pa.binary()).cast(pa.large_binary())):
        place = table.column_names.index(kind.text)
        pq.write_table(table.set_column(place, kind.text, values), tmp_path / "other.parquet")
        found = rows_of(kind, tmp_path / "other.parquet")
        assert {row["source_row"] for row in found if row["reason"]} == {1, 2, 3, 4}

    as_text = pa.Array.from_buffers(pa.string(), 4, no_text.buffers())
    pq.write_table(table.set_column(table.column_names.index(kind.text), kind.text, as_text), tmp_path / "bad.parquet")
    check(kind, tmp_path / "bad.parquet", FILE, expected)

    for empty in (table.slice(0, 0), pa.table({})):
        pq.write_table(empty, tmp_path / "empty.parquet")
        check(kind, tmp_path / "empty.parquet", FILE, expected)

    equal = pa.table({name: pa.repeat(table[name][0], 3_000_000) for name in (kind.text,)})
    pq.write_table(equal, tmp_path / "bomb.parquet")
    assert (tmp_path / "bomb.parquet").stat().st_size < 500_000
    (rejected,) = check(kind, tmp_path / "bomb.parquet", FILE, expected)
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
        ("a\tb\n1\t2\n", ["no_source"]),
        ('source,system,summary\nS.,a,"' + "x" * 10_000_000 + '"\n', [None]),
    ],
    ids=["good", "fewer and more fields", "an open quote", "a column twice", "no rows", "empty", "tabs", "10 MB"],
)
def test_csv(tmp_path, text, reasons):
    path = tmp_path / "file.csv"
    path.write_text(text, encoding="utf-8")
    assert [row["reason"] for row in rows_of(KINDS["summaries"], path)] == reasons


def test_a_file_that_goes_while_it_is_asked_for(tmp_path):
    (row,) = read_rows(NamedFile("mine", str(tmp_path / "gone.jsonl")))
    assert (row.number, row.reason) == (0, "unreadable_file")
    assert not (tmp_path / "gone.jsonl").exists()
