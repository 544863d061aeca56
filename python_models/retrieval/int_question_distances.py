def model(dbt, session):
    """Grain: one row per suite, index, gold version and query."""
    from finrag.search import gold_distances

    dbt.ref("int_question_hits")  # embeds the queries, so it must be there first
    meta = dbt.config.get("meta")
    return gold_distances.measure_new(
        session,
        planned=dbt.ref("int_question_planned_runs"),
        done=dbt.this if dbt.is_incremental else None,
        queries=dbt.ref("int_p3_queries"),
        gold=dbt.ref("int_p3_gold").filter("gold_predicate != 'place'"),
        sentences=dbt.ref("fct_sentences"),
        registry=dbt.ref("embedding_models"),
        lance=meta["lance"],
    )
