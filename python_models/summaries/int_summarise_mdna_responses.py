def model(dbt, session):
    """Grain: one row per request for a summary, model and replicate."""
    from finrag.llm.run import run_requests

    return run_requests(
        session,
        dbt.ref("int_summarise_mdna_requests"),
        task="summarise_mdna",
        settings=dbt.config.get("meta"),
        models=dbt.ref("llm_models"),
        prices=dbt.ref("llm_prices"),
    )
