def model(dbt, session):
    """Grain: one row per request, model of the var llm_judges and replicate."""
    from finrag.llm.run import run_requests

    return run_requests(
        session,
        dbt.ref("int_quiz_reading_requests"),
        settings=dbt.config.get("meta"),
        models=dbt.ref("llm_models"),
        prices=dbt.ref("llm_prices"),
    )
