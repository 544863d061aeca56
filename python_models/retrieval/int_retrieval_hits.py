def model(dbt, session):
    """Grain: one row per run, query and sentence found."""
    from finrag.retrieval import runs

    return runs.search_new_runs(
        session,
        planned=dbt.ref("int_planned_runs"),
        done=dbt.this if dbt.is_incremental else None,
        queries=dbt.ref("retrieval_queries"),
        models=dbt.ref("int_embedded_texts"),
        registry=dbt.ref("embedding_models"),
        indexes=dbt.ref("int_sentence_index"),
        external_hits=dbt.ref("int_external_hits"),
        settings=dbt.config.get("meta"),
    )
