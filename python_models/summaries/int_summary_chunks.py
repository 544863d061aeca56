def model(dbt, session):
    """Grain: one row per summarised filing's text and piece of it that fits the smallest context window in use."""
    from finrag.settings import in_force
    from finrag.summaries.chunks import cut_sources

    sources = dbt.ref("sources").filter("dataset = 'mdna'").project("source_id").set_alias("sources")
    return cut_sources(
        session,
        dbt.ref("int_source_sentences").set_alias("sentences").join(sources, "source_id", how="semi"),
        in_force(dbt.config.get("meta")),
        models=dbt.ref("llm_models"),
        prices=dbt.ref("llm_prices"),
    )
