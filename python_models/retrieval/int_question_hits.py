def model(dbt, session):
    """Grain: one row per run, query and sentence found."""
    from finrag.search import runs

    dbt.ref("int_sentence_index")  # searched in its files, so it must be there first
    meta = dbt.config.get("meta")
    return runs.search_new_runs(
        session,
        planned=dbt.ref("int_question_planned_runs"),
        done=dbt.this if dbt.is_incremental else None,
        queries=dbt.ref("int_p3_queries"),
        external_rows=dbt.ref("int_question_external_rows"),
        pipeline_steps=dbt.ref("int_pipeline_steps"),
        registry=dbt.ref("embedding_models"),
        lance=meta["lance"],
        max_k=int(meta["max_k"]),
        gold=dbt.ref("int_p3_gold"),
    )
