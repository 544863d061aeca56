def model(dbt, session):
    """Grain: one row per KPI label and basis with checkable sentences."""
    from finrag.metrics.shares import kpi_shares

    return kpi_shares(dbt.ref("int_kpi_fact_sentences"))
