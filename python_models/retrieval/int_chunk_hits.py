def model(dbt, session):
    """Grain: one row per run, query and chunk found."""
    from finrag.chunking.search import search_chunks

    dbt.ref("int_chunk_index")  # searched in its files, so it must be there first
    meta = dbt.config.get("meta")
    return search_chunks(
        session,
        planned=dbt.ref("int_chunking_runs"),
        done=dbt.this if dbt.is_incremental else None,
        queries=dbt.ref("int_p3_queries"),
        chunks=dbt.ref("int_chunks"),
        registry=dbt.ref("embedding_models"),
        lance=meta["lance"],
        budget=int(meta["budget"]),
    )
