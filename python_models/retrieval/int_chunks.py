def model(dbt, session):
    """Grain: one row per chunking and chunk."""
    from finrag.chunking.corpus import cut_corpus
    from finrag.settings import in_force

    meta = in_force(dbt.config.get("meta"))
    return cut_corpus(
        session,
        placed_sentences=dbt.ref("int_placed_sentences"),
        documents=dbt.ref("int_documents"),
        registry=dbt.ref("chunkings"),
        names=meta["chunkings"],
        brought=dbt.ref("int_external_chunks"),
    )
