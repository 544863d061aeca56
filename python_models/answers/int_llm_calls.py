def model(dbt, session):
    """Grain: one row per call to a language model that the ledger holds."""
    from finrag.llm.run import read_ledger

    return read_ledger(session)
