def model(dbt, session):
    """Grain: one row per request for verdicts, judge and replicate."""
    from finrag.llm.run import run_requests

    return run_requests(
        session,
        dbt.ref("int_judge_claims_requests"),
        task="judge_claims",
        settings=dbt.config.get("meta"),
        models=dbt.ref("llm_models"),
        prices=dbt.ref("llm_prices"),
    )
