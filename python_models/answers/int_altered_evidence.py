"""The evidence of numeric questions with other figures in it, where the strategy altered_evidence is in use."""


def model(dbt, session):
    from finrag.answers.altered import alter_evidence
    from finrag.settings import in_force

    return alter_evidence(
        session,
        in_force(dbt.config.get("meta")),
        strategies=dbt.ref("retrieval_strategies"),
        tables={
            "questions": dbt.ref("p3_questions"),
            "evidence": dbt.ref("p3_evidence"),
            "sentences": dbt.ref("fct_sentences"),
            "companies": dbt.ref("dim_companies"),
        },
    )
