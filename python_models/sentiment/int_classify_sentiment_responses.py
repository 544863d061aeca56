"""Sentiment as the language models of the var llm_sentiment see it."""


def model(dbt, session):
    from finrag.llm.run import previous_rows, run_requests

    return run_requests(
        session,
        dbt.ref("int_classify_sentiment_requests"),
        task="classify_sentiment",
        settings=dbt.config.get("meta"),
        models=dbt.ref("llm_models"),
        prices=dbt.ref("llm_prices"),
        # its baseline embeds the texts, the one baseline that takes longer to ask again than to keep
        previous=previous_rows(session, str(dbt.this)),
    )
