def model(dbt, session):
    """Grain: one row per run of answers, population, stratum and metric."""
    from finrag.metrics.answer_rollup import roll_up_answers

    done = set()
    if dbt.is_incremental:
        done = set(session.execute(f"select distinct run_id, rollup_version from {dbt.this}").fetchall())
    return roll_up_answers(
        runs=dbt.ref("answer_runs"),
        items=dbt.ref("answer_items"),
        strata=dbt.ref("int_p3_strata"),
        registry=dbt.ref("metrics"),
        done=done,
    )
