def model(dbt, session):
    """Grain: one row per chunking and embedding model."""
    from finrag.chunking.search import sync_chunk_indexes

    meta = dbt.config.get("meta")
    return sync_chunk_indexes(
        session,
        chunks=dbt.ref("int_chunks"),
        filings=dbt.ref("dim_filings"),
        embedded_texts=dbt.ref("int_embedded_texts"),
        registry=dbt.ref("embedding_models"),
        lance=meta["lance"],
    )
