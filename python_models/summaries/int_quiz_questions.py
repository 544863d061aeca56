def model(dbt, session):
    """Grain: one row per question that a writer wrote, and per call that failed."""
    from finrag.quizzes.questions import read_questions

    return read_questions(
        session,
        dbt.ref("int_quiz_writing_requests"),
        dbt.ref("int_quiz_writing_responses"),
        texts=dbt.ref("int_quiz_texts"),
        sentences=dbt.ref("int_source_sentences"),
    )
