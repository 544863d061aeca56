"""How often the comparisons of a build find a difference where there is none.

The items are real: those of the runs in a built warehouse. Within every cluster (company, question) the runs of a suite
change places by lot, so that none is better than another, and what makes items of a cluster alike stays. Then
everything is computed as in a build: clustered tests, and the corrections of metrics.int_adjusted_comparisons as dbt
compiled it. At most 5 % of the families may hold a false "significant": that of the primary endpoints, over all
suites, and each of the others. No peer: what is measured is a rate of errors.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np

from finrag.metrics.comparisons import STRATA, Pairs, compare, to_table
from finrag.metrics.items import TASKS, Items, read_items
from finrag.metrics.registry import Metric, read_metrics
from finrag.metrics.rollup import Stratum, read_strata
from finrag.threads import one_blas_thread

ROOT = Path(__file__).parents[1]
METRICS = ("hit", "mrr", "answer_accuracy", "rouge_l")
K = 5
MODEL = "int_adjusted_comparisons"
SYSTEMS = '"finrag"."metrics"."int_system_comparisons"'


@dataclass(frozen=True)
class Suite:
    """The runs of one suite, over the same items."""

    model: str  # that its comparisons are rows of
    metrics: Sequence[Metric]
    variants: dict[tuple, dict[str, Items]]  # by gold variant and run
    pairs: list[tuple[str, str]]
    strata: list[Stratum]


def shuffled_labels(folder: Path) -> None:
    """Print the rates over BENCH_ROWS shuffled builds of warehouse/finrag.duckdb (default 200)."""
    del folder
    repeats = int(os.environ.get("BENCH_ROWS") or 200)
    sql = next((ROOT / "target" / "compiled").glob(f"**/{MODEL}.sql")).read_text(encoding="utf-8")
    rates = false_findings(ROOT / "warehouse" / "finrag.duckdb", sql, repeats)
    for name, (wrong, families) in rates.items():
        print(
            f"{name:<24} {wrong:6,} of {families:8,} families with a false finding  {wrong / families:6.1%}", flush=True
        )


def false_findings(database: Path, sql: str, repeats: int, strata: bool = True) -> dict[str, tuple[int, int]]:
    """By kind of family, how many held a false finding, of how many. strata: also those of groups of queries."""
    counts: dict[str, list[int]] = {}
    with duckdb.connect() as connection, one_blas_thread():
        connection.execute(f"attach '{database}' as finrag (read_only)")
        suites = list(read_suites(connection, strata))
        for model in {suite.model for suite in suites}:
            sql = sql.replace(f'"finrag"."metrics"."{model}"', model)
        # systems are not shuffled: what differs there may truly differ
        sql = sql.replace(SYSTEMS, f"(from {SYSTEMS} where false)")
        generator = np.random.default_rng(11)
        for _ in range(repeats):
            rows: dict[str, list[tuple]] = {suite.model: [] for suite in suites}
            for suite in suites:
                rows[suite.model] += shuffled_rows(suite, generator)
            for model, found in rows.items():
                connection.register("computed", to_table(found))
                connection.execute(f"create or replace temp table {model} as select * from computed")
            for kind, wrong, families in connection.execute(
                f"""
                with families as (
                    select
                        case when is_primary then 'primary endpoints' when stratum_by = 'overall' then 'all queries'
                        else 'groups of queries' end as kind, family, bool_or(is_significant) as is_wrong,
                    from ({sql}) where p_value is not null group by all
                )
                select kind, count(*) filter (is_wrong), count(*) from families group by kind order by kind
                """
            ).fetchall():
                found_before = counts.setdefault(kind, [0, 0])
                found_before[0] += wrong
                found_before[1] += families
    return {kind: (wrong, families) for kind, (wrong, families) in counts.items()}


def read_suites(connection: duckdb.DuckDBPyConnection, strata: bool) -> Iterator[Suite]:
    """Suites of retrieval and of answers, without the strategy that draws by lot."""
    for model, pairs, items, strata_table in (
        ("int_run_comparisons", "int_run_pairs", "retrieval_items", "gold.int_query_strata"),
        ("int_answer_comparisons", "int_answer_run_pairs", "answer_items", "gold.int_p3_strata"),
    ):
        registry = connection.table("finrag.seeds.metrics")
        # runs are shuffled query by query, whatever their answers are called
        by_query = dataclasses.replace(TASKS[items], item_id="query_id")
        metrics = [m for m in read_metrics(registry, items, [K]) if m.is_compared and m.name in METRICS]
        chosen = connection.execute(
            f"select suite, run_id_a, run_id_b from finrag.metrics.{pairs} "
            "where comparison_kind in ('strategy', 'regime') and not is_chance order by all"
        ).fetchall()
        for suite in dict.fromkeys(row[0] for row in chosen):
            of_suite = [row[1:] for row in chosen if row[0] == suite]
            variants: dict[tuple, dict[str, Items]] = {}
            for run_id in sorted({run for pair in of_suite for run in pair}):
                relation = connection.table(f"finrag.metrics.{items}").filter(f"run_id = '{run_id}'")
                for each in read_items(relation, metrics, by_query):
                    variants.setdefault(each.variant, {})[run_id] = each
            groups = read_strata(connection.table(f"finrag.{strata_table}").filter(f"suite = '{suite}'"))
            groups = [stratum for stratum in groups if strata and stratum.stratum_by in STRATA]
            yield Suite(model, metrics, variants, of_suite, groups)


def shuffled_rows(suite: Suite, generator: np.random.Generator) -> Iterator[tuple]:
    """Rows of int_run_comparisons of a suite whose runs have changed places in every cluster."""
    first = next(iter(suite.variants.values()))
    runs = list(first)
    n_clusters = 1 + max(items.clusters.max() for items in first.values())
    places = np.argsort(generator.random((n_clusters, len(runs))), axis=1)
    shuffled = {variant: shuffle(by_run, runs, places) for variant, by_run in suite.variants.items()}
    for run_a, run_b in suite.pairs:
        names = list(shuffled)
        both = [Pairs.of(by_run[run_a], by_run[run_b]) for by_run in shuffled.values()]
        for number, values in compare(both, suite.metrics, suite.strata):
            yield (f"{run_a}:{run_b}", run_a, run_b, *names[number], *values, "shuffled")


def shuffle(by_run: dict[str, Items], runs: list[str], places: np.ndarray) -> dict[str, Items]:
    """Each run's items, in every cluster those of the run that places (clusters × runs) gives it."""
    items = [by_run[run] for run in runs]
    if any((each.ids != items[0].ids).any() for each in items):
        raise SystemExit("The runs of a suite have different queries, so their labels cannot be shuffled.")
    values, covered = np.stack([i.values for i in items]), np.stack([i.is_covered for i in items])
    rows = np.arange(len(items[0]))
    from_run = places[items[0].clusters].T
    return {
        run: dataclasses.replace(
            items[0], values=values[from_run[number], rows], is_covered=covered[from_run[number], rows]
        )
        for number, run in enumerate(runs)
    }
