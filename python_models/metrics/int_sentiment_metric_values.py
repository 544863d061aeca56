def model(dbt, session):
    """Grain: one row per run of the sentiment benchmark, rule, class and metric."""
    from finrag.metrics.sentiment_rollup import roll_up_sentiment

    done = set()
    if dbt.is_incremental:
        done = set(session.execute(f"select distinct run_id, rollup_version from {dbt.this}").fetchall())
    return roll_up_sentiment(items=dbt.ref("sentiment_items"), registry=dbt.ref("metrics"), done=done)
