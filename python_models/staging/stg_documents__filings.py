def model(dbt, session):
    """Grain: one row per document."""
    from finrag.corpus.documents.parts import LAYOUT, TABLES, read_documents, unread_tables
    from finrag.corpus.html.parts import unread
    from finrag.settings import in_force

    names = in_force(dbt.config.get("meta"))["corpus_columns"]
    built = dbt.this if dbt.is_incremental else None
    todo, tables = (unread(dbt.ref("int_loaded_files"), built, session, layout) for layout in (LAYOUT, TABLES))
    return read_documents(session, todo, unread_tables(dbt.ref("source_files"), tables, names))
