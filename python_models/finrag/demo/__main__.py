"""`python -m finrag.demo [directory]`: put the demo corpus in directory (default warehouse/demo)."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from finrag.demo import ensure
from finrag.errors import FinragError


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m finrag.demo", description="Write the embedded demo corpus.")
    parser.add_argument("directory", nargs="?", type=Path, default=Path("warehouse/demo"))
    options = parser.parse_args(arguments)
    try:
        corpus = ensure(options.directory)
    except FinragError as error:
        print(error, file=sys.stderr)
        return 1
    counts = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in corpus.counts.items())
    print(f"{corpus.directory}: {counts}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
