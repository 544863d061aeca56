def model(dbt, session):
    """Grain: one row per request, model of the var llm_questions and replicate."""
    from finrag.llm.run import run_requests

    return run_requests(
        session,
        dbt.ref("int_write_statements_requests"),
        task="write_statements",
        settings=dbt.config.get("meta"),
        models=dbt.ref("llm_models"),
        prices=dbt.ref("llm_prices"),
    )
