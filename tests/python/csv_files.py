"""CSV files as the tests read them: registries, and the cases of fixtures."""

from __future__ import annotations

import csv
from pathlib import Path

ROOT = Path(__file__).parents[2]


def rows_of(path: str | Path) -> list[dict[str, str]]:
    """The rows, every value a text, as many as there are columns. path: within the repository, or absolute."""
    with (ROOT / path).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    ragged = [row for row in rows if None in row or None in row.values()]
    assert not ragged, f"{path}: other fields than columns in {ragged[:3]}; quote a text that has commas"
    return rows
