"""Sentiment as the language models of the var llm_sentiment see it."""


def model(dbt, session):
    from finrag.llm.run import run_requests

    return run_requests(
        session,
        dbt.ref("int_classify_sentiment_requests"),
        task="classify_sentiment",
        settings=dbt.config.get("meta"),
        models=dbt.ref("llm_models"),
        prices=dbt.ref("llm_prices"),
    )
