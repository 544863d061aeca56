"""What was fetched: documents under the names of their filings, each held once by its content, and an index of all.

filings/edgar/objects/<SHA-256>      a document; written whole or not at all
filings/edgar/10-K/<name>.htm        the same file by the name of its filing, a hard link
filings/edgar/facts/CIK##########.json
filings/edgar/index.jsonl            a row per document that was asked for, fetched or not
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from datetime import date, datetime, timedelta
from pathlib import Path

from filelock import FileLock, Timeout

from finrag.errors import FinragError
from finrag.whole import write_whole

FOLDER = Path("filings/edgar")
INDEX = "index.jsonl"
# How long EDGAR's facts may lack a filing that its lists have.
DELAY = timedelta(days=1)
# Columns of the index that hold no text.
KINDS = {
    "cik": "bigint",
    "year": "integer",
    "bytes": "bigint",
    "filing_date": "date",
    "period_end": "date",
    "fetched_at": "timestamptz",
}


@dataclass
class Document:
    """A row of the index. status: fetched, missing (EDGAR has none such) or failed; reason: of the latter two.

    Facts that could not be fetched again are failed, with the path, size and time of those that are there.
    """

    asked: str
    kind: str
    status: str
    cik: int | None = None
    company_name: str | None = None
    form: str | None = None
    year: int | None = None
    accession: str | None = None
    filing_date: str | None = None
    period_end: str | None = None
    address: str | None = None
    path: str | None = None
    sha256: str | None = None
    bytes: int | None = None
    fetched_at: str | None = None
    reason: str | None = None

    def key(self) -> tuple:
        return self.kind, self.asked if self.cik is None else self.cik, self.form, self.year, self.accession


class Store:
    """The folder of one project."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self.folder = folder
        self.lock = FileLock(folder / f".{INDEX}.lock")
        self.rows = self.read()

    def read(self) -> dict[tuple, Document]:
        return {row.key(): row for row in read_index(self.folder / INDEX)}

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Inside, no one else writes the index, and what others wrote before is known; raises FinragError."""
        self.folder.mkdir(parents=True, exist_ok=True)
        is_within = self.lock.is_locked
        try:
            self.lock.acquire(timeout=0)
        except Timeout:
            raise FinragError(
                f"Another finrag fetch is at work in {self.folder}, and EDGAR counts the requests of both together. "
                "Run this one again when that has ended."
            ) from None
        try:
            self.rows = self.rows if is_within else self.read()
            yield
        finally:
            self.lock.release()

    def whole(self, row: Document) -> Document | None:
        """The row of a document of which there is a whole file, also where it could not be fetched again."""
        known = self.rows.get(row.key())
        if known is None or not known.path:
            return None
        path = self.folder / known.path
        return known if path.is_file() and path.stat().st_size == known.bytes else None

    def held(self, row: Document) -> Document | None:
        """The row of a document that will do as it is there: whole; of facts also with those of the filings there."""
        known = self.whole(row)
        will_do = known and known.status == "fetched" and not (known.kind == "facts" and self.is_behind(known))
        return known if will_do else None

    def is_behind(self, facts: Document) -> bool:
        """Whether a company's facts, one document that grows with its filings, lack one that they may have by now.

        That is one that was fetched after them, or was new at EDGAR when they were. One without tags is never among
        them, so that facts fetched after it and after its day are not asked for again.
        """
        filings = [row for row in self.rows.values() if (row.kind, row.cik) == ("filing", facts.cik) and row.path]
        day = datetime.fromisoformat(facts.fetched_at).date()
        later = [
            row.accession
            for row in filings
            if row.fetched_at > facts.fetched_at or day <= date.fromisoformat(row.filing_date) + DELAY
        ]
        content = (self.folder / facts.path).read_bytes() if later else b""
        return any(accession.encode() not in content for accession in later)

    def keep(self, row: Document, name: str, content: bytes) -> Document:
        """Write a document and note it."""
        row.sha256, row.bytes, row.path = hashlib.sha256(content).hexdigest(), len(content), name
        held, path = self.folder / "objects" / row.sha256, self.folder / name
        if not (held.is_file() and held.stat().st_size == len(content)):
            write_whole(held, content)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        os.link(held, path)
        return self.note(row)

    def note(self, row: Document) -> Document:
        with self.alone():
            self.rows[row.key()] = row
            self.write_index()
        return row

    def forget(self, is_past: Callable[[Document], bool]) -> None:
        """Drop rows of what was missing or failed before."""
        with self.alone():
            past = [key for key, row in self.rows.items() if row.status != "fetched" and is_past(row)]
            for key in past:
                del self.rows[key]
            if past:
                self.write_index()

    def write_index(self) -> None:
        lines = [json.dumps(asdict(row), ensure_ascii=False) for row in self.rows.values()]
        write_whole(self.folder / INDEX, "".join(line + "\n" for line in lines))


def as_relation(session, folder: Path = FOLDER):
    """The index as a relation, a row per document; without rows where nothing was fetched."""
    kinds = {field.name: KINDS.get(field.name, "varchar") for field in fields(Document)}
    columns = ", ".join(f"{name}: '{kind}'" for name, kind in kinds.items())
    if [*read_index(folder / INDEX)]:  # which says what is wrong with a line
        return session.sql(f"from read_json('{folder / INDEX}', format = 'newline_delimited', columns = {{{columns}}})")
    return session.sql(f"select {', '.join(f'null::{kind} as {name}' for name, kind in kinds.items())} where false")


def read_index(path: Path) -> Iterable[Document]:
    if not path.is_file():
        return []
    # by line feeds alone: a name may hold another of the characters that part lines, which JSON leaves as they are
    lines = path.read_bytes().split(b"\n")
    return [row_of(line, f"{path}, line {number}") for number, line in enumerate(lines, 1) if line]


def row_of(line: bytes, place: str) -> Document:
    try:
        return Document(**json.loads(line))
    except (TypeError, ValueError) as error:  # no object, no JSON, no UTF-8
        raise FinragError(
            f"{place}, is no row of what was fetched ({error}). Remove the line: its document is then fetched again."
        ) from error
