def model(dbt, session):
    """Grain: one row per state of a vector index, regime and k."""
    from finrag.search import recall
    from finrag.settings import in_force

    meta = in_force(dbt.config.get("meta"))
    return recall.measure_recall(
        dbt.ref("int_sentence_index"),
        regimes=dbt.ref("retrieval_regimes"),
        chosen=meta["retrieval_regimes"],
        lance_folder=meta["lance"],
        known=session.table(str(dbt.this)) if dbt.is_incremental else None,
    )
