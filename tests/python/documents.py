"""Tables of the documentation, for tests that hold it against the code."""

from __future__ import annotations

from pathlib import Path


def table_of(page: Path, first_column: str) -> list[dict[str, str]]:
    """The rows of the Markdown table whose first column has this name; the test fails where there is none."""
    lines = page.read_text(encoding="utf-8").splitlines()
    (start,) = [n for n, line in enumerate(lines) if line.startswith(f"| {first_column} |")]
    cells = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        cells.append([cell.strip() for cell in line.strip("|").split("|")])
    header, _, *rows = cells
    return [dict(zip(header, row, strict=True)) for row in rows]
