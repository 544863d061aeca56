"""Whether two warehouses hold the same figures: every value, interval and p-value, row by row.

    .venv/bin/python benchmarks/same_figures.py before.duckdb after.duckdb [--tolerance 1e-9]

A warehouse with metrics.runs is read under the names of one without. Columns that only one warehouse has are named and
left out. Exits with 1 where a row is missing on either side or a
figure differs by more than the tolerance. Of tables with is_current only those rows are compared.
"""

from __future__ import annotations

import argparse
import sys

import duckdb

VARIANT = ("gold_window", "gold_predicate", "population", "stratum_by", "stratum", "metric", "k")
# Table: its key. Timings are no figures.
TABLES = {
    "metrics.metric_values": ("run_id", *VARIANT),
    "metrics.run_comparisons": ("comparison_id", *VARIANT),
    "metrics.answer_comparisons": ("comparison_id", "stratum_by", "stratum", "metric"),
    "metrics.system_comparisons": ("comparison_id", "gold_predicate", "stratum_by", "stratum", "metric"),
    "metrics.judge_calibration": ("judge", "dataset", "dimension", "compared_with", "level", "system", "statistic"),
    "metrics.sentiment_scorecard": ("run_id", "rule", "class"),
    "metrics.summary_scorecard": (
        *("dataset", "system", "provider", "replicate", "judge_model", "judge_replicate"),
        *("stratum_by", "stratum", "question_model"),
    ),
    "metrics.alerts": ("alert_id",),
    "metrics.p1_scorecard": ("run_id", *VARIANT[:5]),
    "metrics.p2_scorecard": ("run_id", *VARIANT[:5]),
    "metrics.p3_scorecard": ("run_id", "population", "stratum_by", "stratum"),
    "metrics.retrieval_items": ("run_id", "query_id", "gold_window", "gold_predicate"),
}
# Up to version 0.7 the values had columns of their run, with other names for tasks without a suite or a search.
OF_EARLIER_NAMES = {
    "metrics.metric_values": """
        select
            * exclude (variant) replace (
                case when task = 'sentiment' then task when suite = 'none' then dataset else suite end as suite,
                case when task = 'sentiment' then dataset when regime = 'none' then 'open' else regime end as regime,
                if(task = 'sentiment', system, strategy) as strategy
            ),
            variant as gold_predicate,
            if(model_id = 'none' and task != 'retrieval', system, model_id) as answer_model,
        from {side}.metrics.metric_values_by_run
    """,
}
# Up to version 0.8 tables of summaries alone said suite for what is a data set.
OF_DATASETS = ("metrics.summary_scorecard", "metrics.system_comparisons")
LEFT_OUT = {"metrics_version", "rollup_version", "comparison_version", "built_at", "message"}
TIMINGS = ("latency_seconds",)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--tolerance", type=float, default=1e-9)
    arguments = parser.parse_args()
    connection = duckdb.connect()
    connection.execute(f"attach '{arguments.before}' as before (read_only)")
    connection.execute(f"attach '{arguments.after}' as after (read_only)")
    faults = [compare(connection, table, keys, arguments.tolerance) for table, keys in TABLES.items()]
    sys.exit(1 if any(faults) else 0)


def compare(connection: duckdb.DuckDBPyConnection, table: str, keys: tuple[str, ...], tolerance: float) -> int:
    """Print what differs in a table; the number of rows and columns that do."""
    for side in ("before", "after"):
        has_runs = "variant" in columns_of(connection, f"{side}.metrics.metric_values")
        query = OF_EARLIER_NAMES.get(table) if has_runs else None
        if table in OF_DATASETS and "suite" in columns_of(connection, f"{side}.{table}"):
            query = f"select * rename (suite as dataset) from {side}.{table}"
        connection.execute(
            f"create or replace temp view {side}_all as {(query or 'from {side}.' + table).format(side=side)}"
        )
    before, after = (columns_of(connection, f"{side}_all") for side in ("before", "after"))
    shared = [name for name in before if name in after and name not in LEFT_OUT]
    keys = tuple(name for name in keys if name in shared)
    only = sorted(set(before) ^ set(after))
    condition = " where is_current" if "is_current" in shared else ""
    if "metric" in shared:
        timings = ", ".join(f"'{name}'" for name in TIMINGS)
        condition += f" {'and' if condition else 'where'} metric not in ({timings})"
    for side in ("before", "after"):
        connection.execute(
            f"create or replace temp table {side}_rows as select {', '.join(shared)} from {side}_all{condition}"
        )
    matched = " and ".join(f"b.{name} is not distinct from a.{name}" for name in keys)
    faults = 0
    for here, there in (("before", "after"), ("after", "before")):
        (missing,) = connection.execute(
            f"select count(*) from {here}_rows b where not exists (select 1 from {there}_rows a where {matched})"
        ).fetchone()
        faults += missing
        if missing:
            print(f"{table}: {missing:,} rows only {here}")
    differing = {}
    for name in shared:
        if name in keys:
            continue
        is_number = before[name] in ("DOUBLE", "FLOAT")
        differs = (
            f"coalesce(abs(b.{name} - a.{name}) > {tolerance}, (b.{name} is null) != (a.{name} is null))"
            f" and b.{name} is distinct from a.{name}"
            if is_number
            else f"b.{name} is distinct from a.{name}"
        )
        (count,) = connection.execute(
            f"select count(*) from before_rows b inner join after_rows a on {matched} where {differs}"
        ).fetchone()
        if count:
            differing[name] = count
    (rows,) = connection.execute("select count(*) from before_rows").fetchone()
    print(f"{table}: {rows:,} rows, {len(shared) - len(keys)} columns; differing: {differing or 'none'}", end="")
    print(f"; in one warehouse only: {', '.join(only)}" if only else "")
    return faults + sum(differing.values())


def columns_of(connection: duckdb.DuckDBPyConnection, relation: str) -> dict[str, str]:
    return {name: kind for name, kind, *_ in connection.execute(f"describe {relation}").fetchall()}


if __name__ == "__main__":
    main()
