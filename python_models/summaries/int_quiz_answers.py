def model(dbt, session):
    """Grain: one row per question asked of a text, model and replicate, and per entry of a reply that is not used."""
    from finrag.quizzes.answers import read_answers

    return read_answers(
        session,
        dbt.ref("int_quiz_reading_requests"),
        dbt.ref("int_quiz_reading_responses"),
        questions=dbt.ref("int_quiz_questions"),
        texts=dbt.ref("int_quiz_texts"),
    )
