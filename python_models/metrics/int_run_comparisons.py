def model(dbt, session):
    """Grain: one row per pair of runs, gold variant, stratum, metric and k."""
    from finrag.metrics.comparisons import check_requested, compare_runs
    from finrag.metrics.registry import read_metrics
    from finrag.metrics.rollup import done_before
    from finrag.settings import in_force

    meta = in_force(dbt.config.get("meta"))
    items = dbt.ref("retrieval_items")
    check_requested(meta["compare_runs"], items)
    columns = ", ".join(items.columns)
    return compare_runs(
        "retrieval_items",
        read_metrics(dbt.ref("metrics"), "retrieval_items", meta["metric_ks"]),
        runs=dbt.ref("retrieval_runs"),
        pairs=dbt.ref("int_run_pairs"),
        items=items.project(columns).union(dbt.ref("int_worded_items").project(columns)),
        strata=dbt.ref("int_query_strata"),
        done=done_before(dbt, session, "pair_id", "comparison_version"),
    )
