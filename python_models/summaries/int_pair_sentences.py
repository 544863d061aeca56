def model(dbt, session):
    """Grain: one row per source text of the pairs and sentence."""
    from finrag.summaries.sources import split_sources

    return split_sources(session, dbt.ref("int_summary_pairs"))
