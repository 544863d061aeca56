def model(dbt, session):
    """Grain: one row per headline of the var sentiment_data, and per row of its files that is none."""
    from finrag.inputs.headlines import load_headlines
    from finrag.settings import in_force

    meta = in_force(dbt.config.get("meta"))
    return load_headlines(
        session,
        meta["sentiment_data"],
        demo=dbt.ref("demo_headlines"),
        negative_below=meta["sentiment_negative_below"],
        positive_from=meta["sentiment_positive_from"],
    )
