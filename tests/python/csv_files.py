"""CSV files as the tests read them: registries, and the cases of fixtures."""

from __future__ import annotations

import csv
from pathlib import Path

ROOT = Path(__file__).parents[2]


def rows_of(path: str | Path) -> list[dict[str, str]]:
    """The rows, every value a text. path: within the repository, or absolute."""
    with (ROOT / path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
