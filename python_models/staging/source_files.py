def model(dbt, session):
    """Grain: one row per file that CORPUS and FACTS name, loaded or rejected with a reason."""
    from finrag.corpus import layouts, sources
    from finrag.settings import in_force

    meta = in_force(dbt.config.get("meta"))
    files = sources.discover(
        session,
        corpus=meta["corpus"],
        facts=meta["company_facts"],
        names=meta["corpus_columns"],
        layouts=layouts.read_layouts(dbt.ref("corpus_layouts")),
        known=sources.read_known(session, str(dbt.this)),
    )
    return sources.as_table(files)
