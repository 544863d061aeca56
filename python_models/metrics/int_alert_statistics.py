def model(dbt, session):
    """Grain: one row per rule and run with anchors."""
    from finrag.metrics.alert_statistics import alert_statistics

    return alert_statistics(dbt.ref("int_alert_items"))
