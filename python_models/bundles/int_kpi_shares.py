def model(dbt, session):
    """Grain: one row per measure and KPI label with sentences that can be compared."""
    from finrag.metrics.shares import shares_by

    sentences = (dbt.ref("int_kpi_fact_sentences"), dbt.ref("int_kpi_tag_sentences"))
    of_companies = (relation.project("measure, kpi_label, is_agreeing, cik") for relation in sentences)
    return shares_by(("measure", "kpi_label"), *of_companies)
