with

questions as (

    select
        *,
        case when len(cik_int) < 4 then len(cik_int)::varchar else '4+' end as company_count,
    from {{ ref('p3_questions') }}

),

stratified as (

    select
        suite,
        query_id,
        unnest([
            { 'stratum_by': 'overall', 'stratum': 'all' },
            { 'stratum_by': 'difficulty', 'stratum': difficulty },
            { 'stratum_by': 'retrieval_scope', 'stratum': retrieval_scope },
            { 'stratum_by': 'answer_type', 'stratum': answer_type },
            { 'stratum_by': 'category', 'stratum': coalesce(category, 'none') },
            { 'stratum_by': 'gold_version', 'stratum': gold_version },
            { 'stratum_by': 'company_count', 'stratum': company_count }
        ]) as level,
    from questions

),

final as (

    select
        suite,
        query_id,
        level.stratum_by,
        level.stratum,
    from stratified

)

select * from final
