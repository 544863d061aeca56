"""Questions of the suites that the var question_suites names."""


def model(dbt, session):
    from finrag.inputs.suites import read_suites
    from finrag.search.multi_path.entities import read_companies
    from finrag.settings import in_force
    from finrag.text.companies import Companies

    settings = in_force(dbt.config.get("meta"))
    filings, sentences = dbt.ref("dim_filings"), dbt.ref("fct_sentences")
    names = (dbt.ref("dim_companies"), filings, dbt.ref("int_company_names"))
    companies = Companies(read_companies(session, *names), aliases=str(settings["company_aliases"]))
    return read_suites(session, settings["question_suites"], sentences, companies, filings)
