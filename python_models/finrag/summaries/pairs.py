"""Summaries that systems of one's own wrote, with the texts they are of: CSV, JSON lines or Parquet.

A row has source (the whole text), summary, system (the name of what wrote it) and may have reference, a summary that
people wrote. Other columns are ignored. An empty summary is a summary; one that is missing is none. In CSV, which
cannot tell the two apart, it is empty.

Nothing is dropped: a row that cannot be used is a row of kind problem, with the reason.
"""

from __future__ import annotations

import csv
import glob
import hashlib
import io
import json
import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from finrag.errors import FinragError

NAME = re.compile(r"[A-Za-z0-9_.-]+")
FORM = "SUMMARIES takes name=path pairs separated by spaces, e.g. mine=runs/summaries.csv; a path may be a glob."
# Suites of the warehouse itself; values of metrics are told apart by these names.
TAKEN = ("mdna", "p1", "p2", "p3")
QUOTED_CHARACTERS = 300
OUTPUT = {
    "kind": "varchar",
    "dataset": "varchar",
    "file_path": "varchar",
    "source_row": "bigint",
    "source_id": "varchar",
    "source_text": "varchar",
    "system": "varchar",
    "replicate": "integer",
    "summary_text": "varchar",
    "reference_text": "varchar",
    "problem": "varchar",
    "detail": "varchar",
}
SENTENCES = {
    "source_id": "varchar",
    "sentence_no": "integer",
    "sentence_id": "varchar",
    "sentence_text": "varchar",
}


def single_spaced(text: str) -> str:
    """The text with every run of white space made one space."""
    return " ".join(text.split())


def source_id(text: str) -> str:
    """Id of a source: the MD5 of its text with single spaces."""
    return hashlib.md5(single_spaced(text).encode("utf-8", "replace"), usedforsecurity=False).hexdigest()


def load_pairs(session, setting: str):
    """Relation with the columns OUTPUT, one row per pair and per problem. setting: the var summary_pairs."""
    rows: list[dict] = []
    seen: set[tuple] = set()
    replicates: Counter = Counter()
    for dataset, path in parse_setting(setting):
        for row in read_pairs(dataset, path):
            if row["kind"] == "pair":
                of_system = (dataset, row["source_id"], row["system"])
                if (*of_system, row["summary_text"]) in seen:
                    row = as_problem(row, "duplicate_row", "the system's same summary of this source stands above")
                else:
                    seen.add((*of_system, row["summary_text"]))
                    replicates[of_system] += 1
                    row["replicate"] = replicates[of_system]
            rows.append(row)
    return as_relation(session, rows, OUTPUT)


def split_sources(session, pairs):
    """Relation with the columns SENTENCES of every source of the pairs. pairs: relation of int_summary_pairs."""
    from finrag.corpus.splitting import split_sentences

    sources = pairs.filter("kind = 'pair'").project("source_id, source_text").distinct().order("source_id").fetchall()
    rows = []
    done = set()
    for found, text in sources:
        if found in done:
            continue  # the same text with other spaces
        done.add(found)
        for number, sentence in enumerate(split_sentences(text)):
            rows.append((found, number, f"{found}_{number}", single_spaced(sentence)))
    return as_relation(session, [dict(zip(SENTENCES, row, strict=True)) for row in rows], SENTENCES)


def parse_setting(setting: str) -> list[tuple[str, Path]]:
    """(dataset, file) of `name=path` pairs; raises FinragError for a setting that is wrong."""
    try:
        pairs = shlex.split(setting or "")
    except ValueError as error:
        raise FinragError(f"SUMMARIES cannot be read: {error}. {FORM}") from error
    files: dict[tuple[str, Path], None] = {}
    for pair in pairs:
        name, separator, pattern = pair.partition("=")
        if not separator or not pattern:
            raise FinragError(f"SUMMARIES names {pair!r} without a path. {FORM}")
        if not NAME.fullmatch(name):
            raise FinragError(
                f"SUMMARIES names a data set {name!r}. Allowed are letters, digits and the characters _ . and -. {FORM}"
            )
        if name.lower() in TAKEN:
            raise FinragError(f"SUMMARIES names a data set {name!r}, which is a suite here. Give it another name.")
        found = sorted(Path(path) for path in glob.glob(pattern, recursive=True) if Path(path).is_file())
        if not found:
            raise FinragError(f"SUMMARIES path {pattern!r} of {name} matches no file. {FORM}")
        files |= {(name, path): None for path in found}
    return list(files)


def read_pairs(dataset: str, path: Path) -> Iterator[dict]:
    """The rows of one file, as pairs or problems; a file that cannot be read is one problem with row 0."""
    empty = dict.fromkeys(OUTPUT) | {"kind": "pair", "dataset": dataset, "file_path": str(path)}
    try:
        rows = list(read_rows(path))
    except (OSError, UnicodeDecodeError, ValueError, csv.Error) as error:
        yield as_problem(empty | {"source_row": 0}, "unreadable_file", str(error))
        return
    for number, row in rows:
        yield read_pair(empty | {"source_row": number}, row)


def read_rows(path: Path) -> Iterator[tuple[int, object]]:
    """(row number from 1, row as an object or the error that its line gives)."""
    kind = path.suffix.lower()
    if kind == ".parquet":
        import pyarrow.parquet

        # ArrowInvalid is a ValueError
        for number, row in enumerate(pyarrow.parquet.read_table(path).to_pylist(), start=1):
            yield number, row
    elif kind == ".csv":
        csv.field_size_limit(1 << 30)
        text = path.read_text(encoding="utf-8-sig")
        for number, row in enumerate(csv.DictReader(io.StringIO(text, newline="")), start=1):
            yield number, row
    elif kind in (".jsonl", ".ndjson"):
        for number, line in enumerate(path.read_text(encoding="utf-8-sig").split("\n"), start=1):
            if line.strip():
                try:
                    yield number, json.loads(line)
                except json.JSONDecodeError as error:
                    yield number, error
    else:
        raise ValueError(f"{kind or 'no'} file type; allowed are .csv, .jsonl, .ndjson and .parquet")


def read_pair(empty: dict, row: object) -> dict:
    """A pair, or what is wrong with the row: the first of the reasons that applies."""
    if not isinstance(row, Mapping):
        detail = (
            f"no JSON: {row}" if isinstance(row, Exception) else f"{type(row).__name__} where an object is expected"
        )
        return as_problem(empty, "unreadable_row", detail)
    for name in ("source", "system", "summary", "reference"):
        value = row.get(name)
        if value is not None and not isinstance(value, str):
            return as_problem(empty, "bad_value", f"{name}: {str(value)[:80]!r} is no text")
    if not (row.get("source") or "").strip():
        return as_problem(empty, "no_source", "source is missing or blank")
    if not (row.get("system") or "").strip():
        return as_problem(empty, "no_system", "system is missing or blank")
    if row.get("summary") is None:
        return as_problem(empty, "no_summary", "summary is missing; an empty one is a text without characters")
    return empty | {
        "source_id": source_id(row["source"]),
        "source_text": row["source"],
        "system": row["system"].strip(),
        "summary_text": row["summary"],
        "reference_text": (row.get("reference") or "").strip() or None,
    }


def as_problem(row: Mapping, problem: str, detail: str) -> dict:
    """The place of a row with what is wrong with it; its texts are left out."""
    kept = {name: row[name] for name in ("dataset", "file_path", "source_row", "source_id", "system")}
    return dict.fromkeys(OUTPUT) | kept | {"kind": "problem", "problem": problem, "detail": detail[:QUOTED_CHARACTERS]}


def as_relation(session, rows: Sequence[Mapping], columns: Mapping[str, str]):
    """The rows as a typed relation, also when there are none."""
    import pyarrow

    types = {
        "varchar": pyarrow.string(),
        "varchar[]": pyarrow.list_(pyarrow.string()),
        "integer": pyarrow.int32(),
        "integer[]": pyarrow.list_(pyarrow.int32()),
        "bigint": pyarrow.int64(),
        "double": pyarrow.float64(),
        "boolean": pyarrow.bool_(),
    }
    schema = pyarrow.schema([(name, types[kind]) for name, kind in columns.items()])
    return session.from_arrow(pyarrow.Table.from_pylist(list(rows), schema=schema))
