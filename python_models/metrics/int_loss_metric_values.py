def model(dbt, session):
    """Grain: one row per run of a search or of answers, population, stratum and metric."""
    from finrag.metrics.registry import read_metrics
    from finrag.metrics.rollup import roll_up_runs

    losses = dbt.ref("evidence_losses")
    return roll_up_runs(
        "evidence_losses",
        read_metrics(dbt.ref("metrics"), "evidence_losses"),
        runs=losses.project("run_id, suite, regime, strategy, embedding_model, answer_model").distinct(),
        items=losses,
        strata=dbt.ref("int_p3_strata"),
        done=set(),
    )
