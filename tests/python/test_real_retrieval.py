"""Retrieval on real filings, from files to comparisons: what is measured makes sense, and is not measured twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from warehouses import Warehouse

# What embeds, searches and measures.
RETRIEVAL = (
    *(f"path:{folder}/{part}" for folder in ("models", "python_models") for part in ("embedding", "retrieval")),
    *("retrieval_items", "int_anchor_items", "int_anchor_metric_values", "chunkings"),
)
# What of it is compared, and what that is made of.
COMPARED = ("+p1_scorecard", "+p2_scorecard", "+int_run_comparisons", "+index_recall")
# Exxon Mobil and Netflix 2024, the shortest of the sentence tables: 1,187 sentences.
PATTERNS = ("34088_10K_2024_*.parquet", "1065280_10K_2024_*.parquet")


def variables(real_data: Path) -> dict[str, object]:
    """Vars of every build here; few anchors are enough for what is asked."""
    corpus = " ".join(str(real_data / "finsights/sentences" / pattern) for pattern in PATTERNS)
    return {"corpus": corpus, "company_facts": "", "p1_anchors": 100, "p2_anchors": 30}


@pytest.fixture(scope="module")
def measured(tmp_path_factory, real_data) -> Warehouse:
    """Two filings of two companies, searched by every strategy."""
    warehouse = Warehouse(tmp_path_factory.mktemp("measured") / "measured")
    return warehouse.build("--select", *COMPARED, **variables(real_data))


def hit_at_5(warehouse: Warehouse, regime: str) -> dict[str, float]:
    return dict(
        warehouse.rows(
            """
            select strategy, hit_at_5
            from metrics.p1_scorecard
            where regime = $regime and stratum = 'all' and population = 'covered'
                and gold_window = '5' and gold_predicate = 'content' and is_current
            """,
            {"regime": regime},
        )
    )


def test_every_strategy_beats_chance_in_the_open(measured):
    figures = hit_at_5(measured, "open")
    assert set(figures) == {"dense", "bm25", "hybrid", "random"}
    assert figures["random"] < 0.1
    assert min(figures["dense"], figures["bm25"], figures["hybrid"]) > 0.3
    compared = measured.rows(
        """
        select pairs.difference, pairs.p_value, pairs.n_clusters
        from metrics.int_run_comparisons as pairs
        inner join retrieval.retrieval_runs as one on pairs.run_id_a = one.run_id
        inner join retrieval.retrieval_runs as other on pairs.run_id_b = other.run_id
        where one.suite = 'p1' and one.regime = 'open' and other.regime = 'open' and other.strategy = 'random'
            and pairs.metric = 'hit' and pairs.k = 5 and pairs.stratum = 'all'
            and pairs.gold_window = '5' and pairs.gold_predicate = 'content'
        """
    )
    assert len(compared) == 3
    assert all(difference < -0.3 for difference, *_ in compared)
    # two companies say nothing of others, however many their anchors are
    assert {row[1:] for row in compared} == {(None, 2)}


def test_filtering_helps(measured):
    filtered, in_the_open = hit_at_5(measured, "filtered"), hit_at_5(measured, "open")
    assert all(filtered[strategy] > in_the_open[strategy] for strategy in filtered)


def test_the_index_is_healthy(measured):
    assert measured.value("select min(recall) from retrieval.index_recall") == 1.0
    # texts that differ in a mark only can share a vector, so the first hit need not have the anchor's very text
    by_text = (
        "select min(value) from metrics.anchor_metric_values "
        "where metric = 'self_at_1_text' and strategy = 'dense' and stratum = 'all' and is_current"
    )
    assert measured.value(by_text) >= 0.95


def test_an_unchanged_build_measures_nothing_anew(measured, real_data, tmp_path):
    before = measured.rows("select run_id, built_at from retrieval.retrieval_runs order by run_id")
    again = measured.copy(tmp_path / "again").build("--select", *RETRIEVAL, **variables(real_data))
    assert again.value("select sum(computed_count) from retrieval.int_embedded_texts") == 0
    assert again.rows("select run_id, built_at from retrieval.retrieval_runs order by run_id") == before
    for table in ("retrieval.int_anchor_hits", "metrics.int_anchor_items", "metrics.int_anchor_metric_values"):
        last_row = f"select max(rowid) from {table}"
        assert again.value(last_row) == measured.value(last_row), table


def test_dbt_tests_hold(measured, real_data):
    """Those of seeds, which are the demo's here too, hold with the demo."""
    of = ("--select", *COMPARED, "--exclude", "path:seeds", "--exclude-resource-type", "unit_test")
    done = measured.dbt("test", *of, **variables(real_data))
    assert done.returncode == 0, measured.output[-4000:]
