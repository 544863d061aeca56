def model(dbt, session):
    """Grain: one row per call to a language model that the ledger holds."""
    from finrag.llm.run import read_ledger

    # the models that make calls come first
    dbt.ref("int_question_responses")
    dbt.ref("int_answer_responses")
    dbt.ref("int_summarise_mdna_responses")
    dbt.ref("int_judge_claims_responses")
    dbt.ref("int_quiz_writing_responses")
    dbt.ref("int_quiz_reading_responses")
    dbt.ref("int_classify_sentiment_responses")
    return read_ledger(session)
