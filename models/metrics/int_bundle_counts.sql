-- How many rows the views of sentences have, and of which kind: the counts that others report of theirs.
with

counted as (

    select
        'v1_kpi_scan' as metric,
        'has_amount_cue' as stratum_by,
        has_amount_cue::varchar as stratum,
    from {{ ref('v1_kpi_scan') }}

    union all

    select
        'v2_risk_atlas' as metric,
        'risk_topic' as stratum_by,
        risk_topic as stratum,
    from {{ ref('v2_risk_atlas') }}

    union all

    select
        'v3_trend_bundles' as metric,
        'topic_kind' as stratum_by,
        split_part(bundle_type, '_', 1) as stratum,
    from {{ ref('v3_trend_bundles') }}

    union all

    select
        'v4_cross_company_bundles' as metric,
        'topic_kind' as stratum_by,
        split_part(bundle_type, '_', 1) as stratum,
    from {{ ref('v4_cross_company_bundles') }}

    union all

    select
        'v5_definition_bundles' as metric,
        'candidate_type' as stratum_by,
        candidate_type as stratum,
    from {{ ref('v5_definition_bundles') }}

),

bundle_counts as (

    select
        metric,
        stratum_by,
        stratum,
        count(*) as row_count,
    from counted
    group by metric, stratum_by, stratum

    union all

    select
        metric,
        'overall' as stratum_by,
        'all' as stratum,
        count(*) as row_count,
    from counted
    group by metric

)

select * from bundle_counts
