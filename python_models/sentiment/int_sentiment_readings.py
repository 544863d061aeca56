def model(dbt, session):
    """Grain: one row per distinct reply and list of choices."""
    from finrag.sentiment.matching import read_replies

    return read_replies(dbt.ref("int_sentiment_replies").filter("reply_key is not null"))
