def model(dbt, session):
    """Grain: one row per distinct pair of claims and source that judges are asked about."""
    from finrag.judging.requests import make_requests
    from finrag.settings import in_force

    return make_requests(
        session,
        dbt.ref("int_judged_texts"),
        dbt.ref("int_source_sentences"),
        in_force(dbt.config.get("meta")),
        models=dbt.ref("llm_models"),
        prices=dbt.ref("llm_prices"),
    )
