def model(dbt, session):
    """Grain: one row per run of judged texts, population, stratum and metric."""
    from finrag.metrics.judged_rollup import roll_up_judged

    return roll_up_judged(
        runs=dbt.ref("int_judged_runs"),
        items=dbt.ref("faithfulness_items"),
        strata=dbt.ref("int_judged_strata"),
        registry=dbt.ref("metrics"),
        items_name="faithfulness_items",
        done=set(),
    )
