"""Rows of a question suite for the tests."""

from __future__ import annotations

from finrag.inputs.setting import NamedFile
from finrag.inputs.suites import records_of, rows_of


def read_suite(name: str, path: object) -> list[dict]:
    """The rows of one file, read without a corpus."""
    file = NamedFile(name, str(path))
    return rows_of(file, records_of(file), None)
