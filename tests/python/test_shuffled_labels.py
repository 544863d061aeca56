"""No difference, no finding: runs of the demo warehouse that change places by lot within companies and questions."""

from __future__ import annotations

import importlib
from pathlib import Path

from scipy.stats import binom

from warehouses import Warehouse

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
BUILDS = 60


def test_families_without_a_difference_hold_a_finding_in_at_most_5_percent(demo: Warehouse, monkeypatch):
    """Within what chance leaves of 5 %. `make bench BENCH=shuffled_labels` has more builds, and groups of queries.

    Families of one build share their queries, so the exploratory ones count as a tenth of their number.
    """
    monkeypatch.syspath_prepend(BENCHMARKS)
    benchmark = importlib.import_module("shuffled_labels")
    sql = next((demo.project / "target" / "compiled").glob("**/int_adjusted_comparisons.sql")).read_text(
        encoding="utf-8"
    )
    rates = benchmark.false_findings(demo.database, sql, BUILDS, strata=False)
    wrong, builds = rates["primary endpoints"]
    assert builds == BUILDS and wrong <= binom.ppf(0.999, BUILDS, 0.05)
    wrong, families = rates["all queries"]
    assert families > 50 * BUILDS
    assert 0 < wrong / families <= binom.ppf(0.999, families // 10, 0.05) / (families // 10)
