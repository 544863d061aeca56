"""Summaries that systems of one's own wrote, with the texts they are of: CSV, JSON lines or Parquet.

A row has source (the whole text), summary, system (the name of what wrote it) and may have reference, a summary that
people wrote. Other columns are ignored. An empty summary is a summary; one that is missing is none. In CSV, which
cannot tell the two apart, it is empty.

A row that cannot be used has the reason in place of its texts.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping

from finrag.inputs.files import QUOTED_CHARACTERS
from finrag.inputs.rows import Row, SourceRow, Text, read_rows
from finrag.inputs.setting import Grammar
from finrag.tables import as_relation

GRAMMAR = Grammar(
    "summary_pairs",
    "name=path pairs separated by spaces, globs allowed",
    "mine=runs/summaries.csv",
    # values of metrics are told apart by these names
    taken=(("mdna", "p1", "p2", "p3"), "a suite"),
)
OUTPUT = {
    "dataset": "varchar",
    "file_path": "varchar",
    "source_row": "bigint",
    "source_id": "varchar",
    "source_text": "varchar",
    "system": "varchar",
    "replicate": "integer",
    "summary_text": "varchar",
    "reference_text": "varchar",
    "reason": "varchar",
    "detail": "varchar",
}


class SummaryRow(Row):
    """What a row states."""

    source: Text = None
    system: Text = None
    summary: Text = None
    reference: Text = None


def single_spaced(text: str) -> str:
    """The text with every run of white space made one space."""
    return " ".join(text.split())


def source_id(text: str) -> str:
    """Id of a source: the MD5 of its text with single spaces."""
    return hashlib.md5(single_spaced(text).encode("utf-8", "replace"), usedforsecurity=False).hexdigest()


def load_pairs(session, setting: str):
    """Relation with the columns OUTPUT, one row per row of the files. setting: the var summary_pairs."""
    rows: list[dict] = []
    seen: set[tuple] = set()
    replicates: Counter = Counter()
    for file in GRAMMAR.parse(setting):
        for source_row in read_rows(file, has_csv=True):
            row = read_pair(file.name, source_row.as_object())
            if row["reason"] is None:
                of_system = (file.name, row["source_id"], row["system"])
                if (*of_system, row["summary_text"]) in seen:
                    row = without_texts(row, "duplicate_row", "the system's same summary of this source stands above")
                else:
                    seen.add((*of_system, row["summary_text"]))
                    replicates[of_system] += 1
                    row["replicate"] = replicates[of_system]
            rows.append(row)
    return as_relation(session, rows, OUTPUT)


def read_pair(dataset: str, row: SourceRow) -> dict:
    """A pair, or what is wrong with the row: the first of the reasons that applies."""
    empty = dict.fromkeys(OUTPUT) | {"dataset": dataset, "file_path": row.path, "source_row": row.number}
    if row.reason is not None:
        return without_texts(empty, row.reason, row.detail)
    stated, faults = SummaryRow.read(row.value)
    for fault in faults.values():
        return without_texts(empty, "bad_value", fault)
    if not (stated.source or "").strip():
        return without_texts(empty, "no_source", "source is missing or blank")
    if not (stated.system or "").strip():
        return without_texts(empty, "no_system", "system is missing or blank")
    found = empty | {
        "source_id": source_id(stated.source),
        "source_text": stated.source,
        "system": stated.system.strip(),
        "summary_text": stated.summary,
        "reference_text": (stated.reference or "").strip() or None,
    }
    if stated.summary is None:
        return without_texts(found, "no_summary", "summary is missing; an empty one is a text without characters")
    return found


def without_texts(row: Mapping, reason: str, detail: str) -> dict:
    """The place of a row with what is wrong with it."""
    kept = {name: row[name] for name in ("dataset", "file_path", "source_row", "source_id", "system")}
    return dict.fromkeys(OUTPUT) | kept | {"reason": reason, "detail": detail[:QUOTED_CHARACTERS]}
