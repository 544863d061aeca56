def model(dbt, session):
    """Grain: one row per imported vector that was not used, and per text that was left without one."""
    from finrag.encoders.embed import rejected_vectors

    return rejected_vectors(session, dbt.ref("int_embedded_texts"))
