"""Similarity of pairs of texts; pairs that are scored by the present scorers are not scored again."""


def model(dbt, session):
    from finrag.answers.similarity import score_pairs
    from finrag.metrics.rollup import done_before
    from finrag.settings import in_force

    meta = in_force(dbt.config.get("meta"))
    return score_pairs(
        dbt.ref("int_answer_pairs"),
        dbt.ref("score_models"),
        names=meta["score_models"],
        store=meta["store"],
        done=done_before(dbt, session, "pair_id", "scorer_version"),
    )
