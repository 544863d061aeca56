with

shares as (

    select * from {{ ref('int_kpi_tag_shares') }}

),

kpi_concepts as (

    select * from {{ ref('kpi_concepts') }}

),

-- Every label and measure, so that one without sentences shows up with 0.
labels as (

    select distinct unnest([kpi_label, 'all']) as kpi_label,
    from kpi_concepts

),

measures as (

    select unnest(['amount precision', 'label recall', 'amount recall']) as measure

),

kpi_tag_agreement as (

    select
        labels.kpi_label,
        measures.measure,
        coalesce(shares.n_clusters, 0) as companies,
        coalesce(shares.n, 0) as n,
        coalesce(shares.n_yes, 0) as n_agreeing,
        shares.share,
        shares.ci_low,
        shares.ci_high,
        shares.n_eff,
    from labels
    cross join measures
    left join shares
        on labels.kpi_label = shares.kpi_label
        and measures.measure = shares.basis

)

select * from kpi_tag_agreement
