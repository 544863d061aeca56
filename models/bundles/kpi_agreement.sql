with

shares as (

    select * from {{ ref('int_kpi_shares') }}

),

kpi_fact_metrics as (

    select * from {{ ref('kpi_fact_metrics') }}

),

kpi_concepts as (

    select * from {{ ref('kpi_concepts') }}

),

-- Every label that facts or tags exist for in principle, by each measure, so that one without sentences shows up with 0.
labels as (

    select distinct
        'facts' as reference,
        unnest([kpi_label, 'all']) as kpi_label,
    from kpi_fact_metrics

    union all

    select distinct
        'tags' as reference,
        unnest([kpi_label, 'all']) as kpi_label,
    from kpi_concepts

),

measures as (

    select
        'facts' as reference,
        unnest(['amount agreement', 'level agreement']) as measure,

    union all

    select
        'tags' as reference,
        unnest(['amount precision', 'label recall', 'amount recall']) as measure,

),

-- Null, not 0, where there is nothing to divide by: no checkable sentence is no disagreement.
kpi_agreement as (

    select
        labels.kpi_label,
        labels.reference,
        measures.measure,
        coalesce(shares.n_clusters, 0) as companies,
        coalesce(shares.n, 0) as n,
        coalesce(shares.n_yes, 0) as n_agreeing,
        shares.share,
        shares.ci_low,
        shares.ci_high,
        shares.is_interval_reliable,
        shares.n_eff,
    from labels
    inner join measures
        on labels.reference = measures.reference
    left join shares
        on labels.kpi_label = shares.kpi_label
        and measures.measure = shares.measure

)

select * from kpi_agreement
