def model(dbt, session):
    """Grain: one row per run, gold variant, population, stratum, metric and k."""
    from finrag.metrics.plugged import add_plugged
    from finrag.metrics.registry import read_metrics
    from finrag.metrics.rollup import done_before, roll_up_runs

    meta = dbt.config.get("meta")
    metrics, items = add_plugged(
        read_metrics(dbt.ref("metrics"), "retrieval_items", meta["metric_ks"]),
        session,
        items=dbt.ref("int_anchor_items"),
        hits=dbt.ref("int_anchor_hits"),
        gold=dbt.ref("int_anchor_gold"),
    )
    return roll_up_runs(
        "retrieval_items",
        metrics,
        runs=dbt.ref("int_anchor_runs").filter("is_current"),
        items=items,
        strata=dbt.ref("int_anchor_strata"),
        done=done_before(dbt, session, "run_id", "rollup_version"),
    )
