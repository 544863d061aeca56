def model(dbt, session):
    """Grain: one row per document."""
    from finrag.corpus.documents.parts import LAYOUT, read_documents
    from finrag.corpus.html.parts import unread

    todo = unread(dbt.ref("int_loaded_files"), dbt.this if dbt.is_incremental else None, session, LAYOUT)
    return read_documents(session, todo)
