def model(dbt, session):
    """Grain: one row per reply of sentiment_replies and headline, per row that is none, per headline left out."""
    from finrag.inputs.replies import load_replies
    from finrag.settings import in_force

    meta = in_force(dbt.config.get("meta"))
    return load_replies(session, meta["sentiment_replies"], headlines=dbt.ref("headlines"))
