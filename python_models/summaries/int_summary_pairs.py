def model(dbt, session):
    """Grain: one row per pair of a source and a summary, and per row of the files that cannot be used."""
    from finrag.inputs.summaries import load_pairs
    from finrag.settings import in_force

    meta = in_force(dbt.config.get("meta"))
    return load_pairs(session, meta["summary_pairs"])
