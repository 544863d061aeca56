"""Answers as the language models of the var llm_answers give them."""


def model(dbt, session):
    from finrag.llm.run import run_requests

    return run_requests(
        session,
        dbt.ref("int_answer_requests"),
        settings=dbt.config.get("meta"),
        models=dbt.ref("llm_models"),
        prices=dbt.ref("llm_prices"),
    )
