"""Many comparisons at once: corrected as statsmodels does, and seldom wrong where nothing differs."""

from __future__ import annotations

import importlib
from itertools import groupby
from pathlib import Path

import duckdb
import pytest
from scipy.stats import binom
from statsmodels.stats.multitest import multipletests

from warehouses import Warehouse

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
BUILDS = 40


METHODS = {"holm": "holm", "benjamini_hochberg": "fdr_bh"}


def test_p_values_are_corrected_as_by_statsmodels(demo: Warehouse):
    with duckdb.connect(str(demo.database), read_only=True) as connection:
        rows = connection.execute(
            "select family, adjustment, p_value, p_adjusted, family_size from metrics.int_adjusted_comparisons "
            "where p_value is not null order by family, p_value"
        ).fetchall()
    families = [(names, list(members)) for names, members in groupby(rows, key=lambda row: row[:2])]
    assert {adjustment for (_, adjustment), _ in families} == set(METHODS)
    # the primary endpoints, and of the others enough of each size
    for (_, adjustment), members in [each for each in families if each[0][1] == "holm"] + families[::7]:
        p_values, adjusted, sizes = zip(*(row[2:] for row in members), strict=True)
        assert set(sizes) == {len(members)}
        expected = multipletests(p_values, method=METHODS[adjustment])[1]
        assert list(adjusted) == pytest.approx(list(expected), abs=1e-12)


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
