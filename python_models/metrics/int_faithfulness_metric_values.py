def model(dbt, session):
    """Grain: one row per run of judged texts, population, stratum and metric."""
    from finrag.metrics.registry import read_metrics
    from finrag.metrics.rollup import roll_up_runs

    return roll_up_runs(
        "faithfulness_items",
        read_metrics(dbt.ref("metrics"), "faithfulness_items"),
        runs=dbt.ref("int_judged_runs"),
        items=dbt.ref("faithfulness_items"),
        strata=dbt.ref("int_judged_strata"),
        done=set(),
    )
