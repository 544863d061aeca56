def model(dbt, session):
    """Grain: one row per question that a writer wrote, and per call that failed."""
    from finrag.quizzes.questions import read_questions

    return read_questions(
        session,
        [
            (dbt.ref("int_write_closed_questions_requests"), dbt.ref("int_write_closed_questions_responses")),
            (dbt.ref("int_write_statements_requests"), dbt.ref("int_write_statements_responses")),
            (dbt.ref("int_write_choices_requests"), dbt.ref("int_write_choices_responses")),
        ],
        texts=dbt.ref("int_quiz_texts"),
        sentences=dbt.ref("source_sentences"),
    )
