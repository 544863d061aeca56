def model(dbt, session):
    """Grain: one row per run, gold variant, population, stratum, metric and k."""
    from finrag.metrics.registry import read_metrics
    from finrag.metrics.rollup import done_before, roll_up_runs

    meta = dbt.config.get("meta")
    return roll_up_runs(
        "retrieval_items",
        read_metrics(dbt.ref("metrics"), "retrieval_items", meta["metric_ks"]),
        runs=dbt.ref("int_anchor_runs").filter("is_current"),
        items=dbt.ref("int_anchor_items"),
        strata=dbt.ref("int_anchor_strata"),
        done=done_before(dbt, session, "run_id", "rollup_version"),
    )
