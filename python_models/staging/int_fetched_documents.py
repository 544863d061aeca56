def model(dbt, session):
    """Grain: one row per document that was asked of EDGAR."""
    from finrag.edgar.store import as_relation

    return as_relation(session)
