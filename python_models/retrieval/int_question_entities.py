def model(dbt, session):
    """Grain: one row per question."""
    from finrag.search.multi_path.entities import extract_all
    from finrag.settings import in_force

    meta = in_force(dbt.config.get("meta"))
    return extract_all(
        session,
        questions=dbt.ref("int_question_terms"),
        companies=dbt.ref("dim_companies"),
        filings=dbt.ref("dim_filings"),
        names=dbt.ref("int_company_names"),
        sections=dbt.ref("sections"),
        section_mentions=dbt.ref("section_mentions"),
        threshold=float(meta["entity_fuzzy_threshold"]),
        aliases=str(meta["company_aliases"]),
    )
