def model(dbt, session):
    """Grain: one row per external run and suite, per hit and failed query of one, and per problem in its files."""
    from finrag.search import external

    meta = dbt.config.get("meta")
    return external.rank_rows(
        session,
        dbt.ref("int_external_hits"),
        max_k=int(meta["max_k"]),
        regimes=dbt.ref("retrieval_regimes"),
        queries=dbt.ref("int_p3_queries"),
        sentences=dbt.ref("fct_sentences"),
        filings=dbt.ref("dim_filings"),
        versions=dbt.ref("int_question_gold_versions"),
        of_anchors=False,
        table=str(dbt.this),
    )
