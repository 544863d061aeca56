def model(dbt, session):
    """Grain: one row per distinct pair of claims and source that judges are asked about."""
    from finrag.judging.requests import make_requests

    return make_requests(
        session,
        dbt.ref("int_judged_texts"),
        dbt.ref("int_source_sentences"),
        dbt.config.get("meta"),
        models=dbt.ref("llm_models"),
        prices=dbt.ref("llm_prices"),
    )
