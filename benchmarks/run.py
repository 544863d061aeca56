"""Speed and size of the warehouse, each figure beside a named peer measured in the same run.

    make bench                                   everything
    make bench BENCH="tagging exact_search"      some of it
    make bench BENCH=growth BENCH_ROWS=10000000  growth up to 10M sentences (default of the table benchmarks: 1M)

Machines differ and are noisy: compare ratios, not seconds.
"""

from __future__ import annotations

import importlib
import os
import sys
import tempfile
from pathlib import Path

import duckdb

# Benchmark: the module that holds the function of that name.
BENCHMARKS = {
    "tagging": "tables",
    "neighbours": "tables",
    "growth": "tables",
    "embedding": "embedding",
    "exact_search": "search",
    "filtered_search": "search",
    "scan_precision": "search",
    "lance_settings": "search",
    "strategies": "search",
    "metrics": "metrics",
    "shuffled_labels": "shuffled_labels",
    "corpus_truth": "corpus_truth",
    "llm": "llm",
    "many_calls": "llm",
    "rouge": "scoring",
    "bertscore": "scoring",
    "coverage": "coverage",
    "scale": "scale",
    "gate": "gate",
    "gate_losses": "gate_losses",
    "html": "html_filings",
    "documents": "documents",
    "tagged_facts": "tagged_facts",
    "table_cells": "tagged_facts",
    "alignment": "alignment",
    "suites": "suites",
    "engine": "engine",
    "engines_equal": "engine",
}


def main() -> None:
    chosen = os.environ.get("BENCH", "").split() or list(BENCHMARKS)
    unknown = [name for name in chosen if name not in BENCHMARKS]
    if unknown:
        raise SystemExit(f"BENCH={' '.join(unknown)}: no such benchmark. Allowed: {', '.join(BENCHMARKS)}.")
    print(f"DuckDB {duckdb.__version__}; Python {sys.version.split()[0]}; {os.cpu_count()} cores")
    for name in chosen:
        with tempfile.TemporaryDirectory(prefix="finrag-bench-") as folder:
            getattr(importlib.import_module(BENCHMARKS[name]), name)(Path(folder))


if __name__ == "__main__":
    main()
