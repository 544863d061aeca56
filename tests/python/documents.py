"""The pages of the documentation, for tests that hold them against the code."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def pages() -> list[Path]:
    """README, the pages of docs/ and the others that people read; DECISIONLOG and CHANGELOG speak of what was, too."""
    return [ROOT / "README.md", *sorted(DOCS.glob("*.md")), ROOT / "CONTRIBUTING.md", ROOT / "analyses" / "README.md"]


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def all_text() -> str:
    """What all pages say, whichever of them says it."""
    return "\n".join(map(text_of, pages()))


def code_of(page: Path) -> list[str]:
    """Fenced blocks, and what stands in backticks outside of them."""
    fence = re.compile(r"^```\w*\n(.*?)^```", re.DOTALL | re.MULTILINE)
    inline = re.findall(r"`([^`]+)`", fence.sub("", text_of(page)))
    return fence.findall(text_of(page)) + [re.sub(r"\s+", " ", code) for code in inline]


def table_of(page: Path, first_column: str) -> list[dict[str, str]]:
    """The rows of the Markdown table whose first column has this name; the test fails where there is none."""
    lines = text_of(page).splitlines()
    (start,) = [n for n, line in enumerate(lines) if line.startswith(f"| {first_column} |")]
    cells = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        cells.append([cell.strip() for cell in line.strip("|").split("|")])
    header, _, *rows = cells
    return [dict(zip(header, row, strict=True)) for row in rows]
