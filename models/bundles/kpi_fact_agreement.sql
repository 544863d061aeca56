-- Share of checkable sentences with at least one amount that agrees with XBRL, with its 95 % interval: over all checkable
-- amounts, and over those stated as levels.
with

shares as (

    select * from {{ ref('int_kpi_fact_shares') }}

),

kpi_fact_metrics as (

    select * from {{ ref('kpi_fact_metrics') }}

),

-- Every label that facts exist for in principle, so that a label without checkable sentences shows up with 0.
kpi_labels as (

    select distinct unnest([kpi_label, 'all']) as kpi_label,
    from kpi_fact_metrics

),

-- Null, not 0, where there is nothing to divide by: no checkable sentence is no disagreement.
kpi_fact_agreement as (

    select
        kpi_labels.kpi_label,
        coalesce(by_any.n_clusters, 0) as companies,
        coalesce(by_any.n, 0) as checkable_sentences,
        coalesce(by_any.n_yes, 0) as agreeing_sentences,
        by_any.share as agreement_share,
        by_any.ci_low,
        by_any.ci_high,
        by_any.n_eff,
        coalesce(by_level.n, 0) as level_checkable_sentences,
        coalesce(by_level.n_yes, 0) as level_agreeing_sentences,
        by_level.share as level_agreement_share,
        by_level.ci_low as level_ci_low,
        by_level.ci_high as level_ci_high,
        by_level.n_eff as level_n_eff,
    from kpi_labels
    left join shares as by_any
        on kpi_labels.kpi_label = by_any.kpi_label
        and by_any.basis = 'any'
    left join shares as by_level
        on kpi_labels.kpi_label = by_level.kpi_label
        and by_level.basis = 'level'

)

select * from kpi_fact_agreement
