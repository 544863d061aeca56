def model(dbt, session):
    """Grain: one row per run, gold variant, population, stratum, metric and k."""
    from finrag.metrics.rollup import roll_up_runs

    meta = dbt.config.get("meta")
    done = set()
    if dbt.is_incremental:
        done = set(session.execute(f"select distinct run_id, rollup_version from {dbt.this}").fetchall())
    return roll_up_runs(
        session,
        runs=dbt.ref("int_question_runs"),
        items=dbt.ref("int_question_items"),
        strata=dbt.ref("int_p3_strata"),
        registry=dbt.ref("metrics"),
        cutoffs=meta["metric_ks"],
        done=done,
    )
