"""Questions of the suites that the var question_suites names."""


def model(dbt, session):
    from finrag.inputs.suites import read_suites
    from finrag.settings import in_force

    settings = in_force(dbt.config.get("meta"))
    return read_suites(session, settings["question_suites"], dbt.ref("fct_sentences"))
