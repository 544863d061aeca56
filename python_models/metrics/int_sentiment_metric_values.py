def model(dbt, session):
    """Grain: one row per run of the sentiment benchmark, rule, class and metric."""
    from finrag.metrics.registry import read_metrics
    from finrag.metrics.rollup import done_before
    from finrag.metrics.sentiment_rollup import roll_up_sentiment

    return roll_up_sentiment(
        read_metrics(dbt.ref("metrics"), "sentiment_items"),
        items=dbt.ref("sentiment_items"),
        done=done_before(dbt, session, "run_id", "rollup_version"),
    )
