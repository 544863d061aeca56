def model(dbt, session):
    """Grain: one row per suite and field."""
    from finrag.metrics.extraction import extraction_accuracy

    return extraction_accuracy(dbt.ref("extraction_items"))
