def model(dbt, session):
    """Grain: one row per current run, item and metric of a primary endpoint."""
    from finrag.metrics.frozen import current_scores

    return current_scores(
        dbt.ref("int_suite_endpoints"),
        dbt.ref("metrics"),
        runs=dbt.ref("int_all_runs"),
        queries=dbt.ref("retrieval_queries"),
        systems=dbt.ref("int_system_scores"),
        items={"retrieval_items": dbt.ref("retrieval_items"), "answer_items": dbt.ref("answer_items")},
    )
