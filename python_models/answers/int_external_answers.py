"""Answers that the files of the var external_answers hold, matched to questions, and what is wrong with the rest."""


def model(dbt, session):
    from finrag.answers.external import load_answers
    from finrag.settings import in_force

    meta = in_force(dbt.config.get("meta"))
    return load_answers(
        session,
        meta["external_answers"],
        questions=dbt.ref("p3_questions"),
        strategies=dbt.ref("retrieval_strategies"),
    )
