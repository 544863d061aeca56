def model(dbt, session):
    """Grain: one row per embedding model and text that was longer than the model takes."""
    from finrag.encoders.embed import truncated_texts

    meta = dbt.config.get("meta")
    return truncated_texts(dbt.ref("int_embedded_texts"), dbt.ref("embedding_models"), meta["lance"])
