def model(dbt, session):
    """Grain: one row per run of answers, population, stratum and metric."""
    from finrag.metrics.registry import read_metrics
    from finrag.metrics.rollup import done_before, roll_up_runs

    methods = dbt.ref("retrieval_strategies").project("strategy, method")
    return roll_up_runs(
        "answer_items",
        read_metrics(dbt.ref("metrics"), "answer_items"),
        runs=dbt.ref("answer_runs").join(methods, "strategy", how="left"),
        items=dbt.ref("answer_items"),
        strata=dbt.ref("int_p3_strata"),
        done=done_before(dbt, session, "run_id", "rollup_version"),
    )
