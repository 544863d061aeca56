def model(dbt, session):
    """Grain: one row per pair of runs of answers, stratum and metric."""
    from finrag.metrics.comparisons import compare_runs
    from finrag.metrics.registry import read_metrics
    from finrag.metrics.rollup import done_before

    return compare_runs(
        "answer_items",
        read_metrics(dbt.ref("metrics"), "answer_items"),
        runs=dbt.ref("answer_runs"),
        pairs=dbt.ref("int_answer_run_pairs"),
        items=dbt.ref("answer_items"),
        strata=dbt.ref("int_p3_strata"),
        done=done_before(dbt, session, "pair_id", "comparison_version"),
    )
