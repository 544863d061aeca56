def model(dbt, session):
    """Grain: one row per 10-K in HTML."""
    from finrag.corpus.html.parts import read_files, unread

    todo = unread(dbt.ref("int_loaded_files"), dbt.this if dbt.is_incremental else None, session)
    return read_files(session, todo)
