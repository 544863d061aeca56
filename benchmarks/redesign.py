"""The size of the project, as CHANGELOG compares it between versions.

    .venv/bin/dbt parse && .venv/bin/python benchmarks/redesign.py

Files and lines are git's, without Parquet; models, what is published and what stands above a scorecard are of
target/manifest.json; tests are those that pytest collects.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SCORECARDS = ("p1_scorecard", "p2_scorecard", "p3_scorecard", "summary_scorecard", "sentiment_scorecard")


def said_by(*command: str) -> str:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def above(name: str, parents: dict[str, set[str]]) -> set[str]:
    """All models that one depends on."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        new = parents[waiting.pop()] - found
        found |= new
        waiting += new
    return found


def main() -> None:
    files = [ROOT / name for name in said_by("git", "ls-files").splitlines() if not name.endswith(".parquet")]
    print("files", len(files), "lines", sum(path.read_bytes().count(b"\n") for path in files))
    nodes = json.loads((ROOT / "target/manifest.json").read_text(encoding="utf-8"))["nodes"]
    models = {key: node for key, node in nodes.items() if node["resource_type"] == "model"}
    print("models", len(models), "published", sum(node["access"] == "public" for node in models.values()))
    parents = {
        node["name"]: {models[key]["name"] for key in node["depends_on"]["nodes"] if key in models}
        for node in models.values()
    }
    for scorecard in SCORECARDS:
        print("above", scorecard, len(above(scorecard, parents)))
    print("lines of README", (ROOT / "README.md").read_bytes().count(b"\n"))
    collected = said_by(sys.executable, "-m", "pytest", "--collect-only", "-q")
    print("tests", re.search(r"^(\d+) tests collected", collected, re.MULTILINE)[1])


if __name__ == "__main__":
    main()
