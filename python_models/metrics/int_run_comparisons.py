def model(dbt, session):
    """Grain: one row per pair of runs, gold variant, stratum, metric and k."""
    from finrag.metrics.comparisons import compare_runs
    from finrag.settings import in_force

    meta = in_force(dbt.config.get("meta"))
    done = set()
    if dbt.is_incremental:
        done = set(session.execute(f"select distinct pair_id, comparison_version from {dbt.this}").fetchall())
    return compare_runs(
        runs=dbt.ref("retrieval_runs"),
        pairs=dbt.ref("int_run_pairs"),
        items=dbt.ref("retrieval_items"),
        strata=dbt.ref("int_query_strata"),
        registry=dbt.ref("metrics"),
        cutoffs=meta["metric_ks"],
        requested=meta["compare_runs"],
        done=done,
    )
