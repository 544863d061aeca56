def model(dbt, session):
    """Grain: one row per run, gold window, population, stratum, metric and k."""
    from finrag.metrics.registry import read_metrics
    from finrag.metrics.rollup import done_before, roll_up_runs

    meta = dbt.config.get("meta")
    return roll_up_runs(
        "chunking_items",
        read_metrics(dbt.ref("metrics"), "chunking_items", meta["budgets"]),
        runs=dbt.ref("int_chunking_runs"),
        items=dbt.ref("chunking_items"),
        strata=dbt.ref("int_p3_strata"),
        done=done_before(dbt, session, "run_id", "rollup_version"),
    )
