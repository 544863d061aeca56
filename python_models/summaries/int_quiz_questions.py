def model(dbt, session):
    """Grain: one row per question that a writer wrote, and per call that failed."""
    from finrag.quizzes.questions import read_questions

    closed = dbt.ref("int_write_closed_questions_requests")
    closed_replies = dbt.ref("int_write_closed_questions_responses")
    statements = dbt.ref("int_write_statements_requests")
    statement_replies = dbt.ref("int_write_statements_responses")
    choices = dbt.ref("int_write_choices_requests")
    choice_replies = dbt.ref("int_write_choices_responses")
    return read_questions(
        session,
        [(closed, closed_replies), (statements, statement_replies), (choices, choice_replies)],
        texts=dbt.ref("int_quiz_texts"),
        sentences=dbt.ref("source_sentences"),
    )
