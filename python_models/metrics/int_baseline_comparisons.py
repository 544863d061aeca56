def model(dbt, session):
    """Grain: one row per frozen run, current run in its place, and metric."""
    from finrag.metrics.frozen import compare_with_frozen, current_runs, frozen_file

    return compare_with_frozen(
        session,
        scores=dbt.ref("int_headline_scores"),
        runs=current_runs(dbt.ref("int_all_runs"), dbt.ref("answer_items")),
        registry=dbt.ref("metrics"),
        baselines=dbt.ref("baselines"),
        file=frozen_file(),
    )
