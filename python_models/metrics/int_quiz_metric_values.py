def model(dbt, session):
    """Grain: one row per run of closed questions, statements or choices, population, stratum and metric."""
    from finrag.metrics.quiz_rollup import roll_up_quizzes

    done = set()
    if dbt.is_incremental:
        done = set(session.execute(f"select distinct run_id, rollup_version from {dbt.this}").fetchall())
    closed, statements, choices = dbt.ref("qag_items"), dbt.ref("statement_items"), dbt.ref("choice_items")
    return roll_up_quizzes(
        runs=dbt.ref("int_quiz_runs"),
        items={"qag_items": closed, "statement_items": statements, "choice_items": choices},
        registry=dbt.ref("metrics"),
        done=done,
    )
