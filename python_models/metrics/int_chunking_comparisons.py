def model(dbt, session):
    """Grain: one row per pair of runs, gold window, stratum, metric and k."""
    from finrag.metrics.comparisons import compare_runs
    from finrag.metrics.registry import read_metrics
    from finrag.metrics.rollup import done_before

    meta = dbt.config.get("meta")
    return compare_runs(
        "chunking_items",
        read_metrics(dbt.ref("metrics"), "chunking_items", meta["budgets"]),
        runs=dbt.ref("int_chunking_runs"),
        pairs=dbt.ref("int_chunking_run_pairs"),
        items=dbt.ref("chunking_items"),
        strata=dbt.ref("int_p3_strata"),
        done=done_before(dbt, session, "pair_id", "comparison_version"),
    )
