def model(dbt, session):
    """Grain: one row per call to a language model that the ledger holds."""
    from finrag.llm.run import read_ledger

    # the models that make calls come first
    dbt.ref("int_question_responses")
    dbt.ref("int_answer_responses")
    dbt.ref("int_summarise_mdna_responses")
    dbt.ref("int_judge_claims_responses")
    dbt.ref("int_write_closed_questions_responses")
    dbt.ref("int_answer_closed_questions_responses")
    dbt.ref("int_write_statements_responses")
    dbt.ref("int_judge_statements_responses")
    dbt.ref("int_write_choices_responses")
    dbt.ref("int_answer_choices_responses")
    dbt.ref("int_classify_sentiment_responses")
    return read_ledger(session)
