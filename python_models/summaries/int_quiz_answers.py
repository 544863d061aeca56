def model(dbt, session):
    """Grain: one row per question asked of a text, model and replicate, and per entry of a reply that nothing asked for."""
    from finrag.quizzes.answers import read_answers

    return read_answers(
        session,
        [
            (dbt.ref("int_answer_closed_questions_requests"), dbt.ref("int_answer_closed_questions_responses")),
            (dbt.ref("int_judge_statements_requests"), dbt.ref("int_judge_statements_responses")),
            (dbt.ref("int_answer_choices_requests"), dbt.ref("int_answer_choices_responses")),
        ],
        questions=dbt.ref("int_quiz_questions"),
        texts=dbt.ref("int_quiz_texts"),
    )
