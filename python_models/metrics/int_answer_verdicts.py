"""What the rules say about answers; content that the present rules have judged is not judged again."""


def model(dbt, session):
    from finrag.answers.verdicts import judge_answers

    done = set()
    if dbt.is_incremental:
        done = {key for (key,) in session.execute(f"select verdict_key from {dbt.this}").fetchall()}
    return judge_answers(session, dbt.ref("int_scored_answers"), dbt.ref("cross_reference_patterns"), done)
