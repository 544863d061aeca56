def model(dbt, session):
    """Grain: one row per measure and KPI label with sentences that can be compared."""
    from finrag.metrics.shares import kpi_shares

    return kpi_shares(dbt.ref("int_kpi_fact_sentences"), dbt.ref("int_kpi_tag_sentences"))
