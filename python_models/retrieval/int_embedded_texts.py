def model(dbt, session):
    """Grain: one row per embedding model in use, once its vectors of every text are stored."""
    from finrag.encoders.embed import embed_corpus
    from finrag.settings import in_force

    meta = in_force(dbt.config.get("meta"))
    return embed_corpus(
        session,
        sentences=dbt.ref("fct_sentences"),
        registry=dbt.ref("embedding_models"),
        names=meta["embedding_models"],
        vectors=meta["imported_vectors"],
        lance=meta["lance"],
    )
