def model(dbt, session):
    """Grain: one row per sentence of the accepted items of filing-level sources."""
    from finrag.corpus.filings import split_filings, unprocessed

    todo = unprocessed(dbt.ref("int_filing_versions"), dbt.this.identifier)
    folder = dbt.config.get("meta")["lance"]
    return split_filings(session, todo, dbt.ref("int_item_rows"), dbt.ref("rejected_rows"), folder)
