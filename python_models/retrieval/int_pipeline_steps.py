def model(dbt, session):
    """Grain: one row per run, query, path, slot of the path and sentence."""
    from finrag.search.multi_path.strategy import search_new_runs

    dbt.ref("int_sentence_index")  # searched in its files, so it must be there first
    meta = dbt.config.get("meta")
    return search_new_runs(
        session,
        planned=dbt.ref("int_question_planned_runs"),
        done=dbt.this if dbt.is_incremental else None,
        entities=dbt.ref("question_entities"),
        queries=dbt.ref("int_p3_queries"),
        sentences=dbt.ref("fct_sentences"),
        filings=dbt.ref("dim_filings"),
        registry=dbt.ref("embedding_models"),
        score_models=dbt.ref("score_models"),
        lance=meta["lance"],
        max_k=int(meta["max_k"]),
    )
