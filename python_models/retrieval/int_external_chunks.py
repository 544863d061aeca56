def model(dbt, session):
    """Grain: one row per row of the files that the var external_chunks names."""
    from finrag.chunking.brought import read_brought
    from finrag.settings import in_force

    meta = in_force(dbt.config.get("meta"))
    taken = dbt.ref("chunkings").project("chunking").fetchall()
    return read_brought(
        session,
        meta["external_chunks"],
        taken=[name for (name,) in taken],
        placed_sentences=dbt.ref("int_placed_sentences"),
        documents=dbt.ref("int_documents"),
    ).to_arrow()
