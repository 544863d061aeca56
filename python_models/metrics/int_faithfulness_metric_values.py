def model(dbt, session):
    """Grain: one row per run of judged texts, population, stratum and metric."""
    from finrag.metrics.registry import read_metrics
    from finrag.metrics.rollup import by_dataset, roll_up_runs

    return roll_up_runs(
        "faithfulness_items",
        read_metrics(dbt.ref("metrics"), "faithfulness_items"),
        runs=by_dataset(dbt.ref("int_judged_runs")),
        items=by_dataset(dbt.ref("faithfulness_items")),
        strata=by_dataset(dbt.ref("int_judged_strata")),
        done=set(),
    )
