def model(dbt, session):
    """Grain: one row per pair of a source and a summary, and per row of the files that cannot be used."""
    from finrag.settings import in_force
    from finrag.summaries.pairs import load_pairs

    meta = in_force(dbt.config.get("meta"))
    return load_pairs(session, meta["summary_pairs"])
