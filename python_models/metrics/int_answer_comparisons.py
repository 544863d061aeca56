def model(dbt, session):
    """Grain: one row per pair of runs of answers, stratum and metric."""
    from finrag.metrics.answer_comparisons import compare_answers

    done = set()
    if dbt.is_incremental:
        done = set(session.execute(f"select distinct pair_id, comparison_version from {dbt.this}").fetchall())
    return compare_answers(
        pairs=dbt.ref("int_answer_run_pairs"),
        items=dbt.ref("answer_items"),
        strata=dbt.ref("int_p3_strata"),
        registry=dbt.ref("metrics"),
        done=done,
    )
