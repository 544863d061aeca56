def model(dbt, session):
    """Grain: one row per question asked of a text, model and replicate, and per entry of a reply that is not used."""
    from finrag.quizzes.answers import read_answers

    closed = dbt.ref("int_answer_closed_questions_requests")
    closed_replies = dbt.ref("int_answer_closed_questions_responses")
    statements = dbt.ref("int_judge_statements_requests")
    statement_replies = dbt.ref("int_judge_statements_responses")
    choices = dbt.ref("int_answer_choices_requests")
    choice_replies = dbt.ref("int_answer_choices_responses")
    return read_answers(
        session,
        [(closed, closed_replies), (statements, statement_replies), (choices, choice_replies)],
        questions=dbt.ref("int_quiz_questions"),
        texts=dbt.ref("int_quiz_texts"),
    )
