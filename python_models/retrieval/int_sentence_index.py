def model(dbt, session):
    """Grain: one row per index of the corpus' sentences."""
    from finrag.index import build

    meta = dbt.config.get("meta")
    return build.sync_indexes(
        session,
        sentences=dbt.ref("fct_sentences"),
        filings=dbt.ref("dim_filings"),
        embedded_texts=dbt.ref("int_embedded_texts"),
        registry=dbt.ref("embedding_models"),
        lance_folder=meta["lance"],
    )
