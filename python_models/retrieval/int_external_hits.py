def model(dbt, session):
    """Grain: one row per row of the files that the var external_hits names."""
    from finrag.inputs.hits import load_hits
    from finrag.settings import in_force

    meta = in_force(dbt.config.get("meta"))
    return load_hits(
        session,
        meta["external_hits"],
        regimes=dbt.ref("retrieval_regimes"),
        strategies=dbt.ref("retrieval_strategies"),
        table=str(dbt.this),
        sentences=dbt.ref("int_placed_sentences"),
    )
