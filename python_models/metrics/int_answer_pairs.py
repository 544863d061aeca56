"""The texts that the similarity metrics compare, for every answer."""


def model(dbt, session):
    from finrag.answers.pairs import pair_answers

    return pair_answers(dbt.ref("int_scored_answers"), dbt.ref("p3_questions"))
