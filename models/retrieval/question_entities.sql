with

entities as (

    select * from {{ ref('int_question_entities') }}

),

company_names as (

    select map(list(cik), list(company_name)) as name_of
    from {{ ref('dim_companies') }}

),

final as (

    select
        suite,
        query_id,
        ciks,
        list_transform(ciks, lambda cik: company_names.name_of[cik]) as company_names,
        years,
        section_ids,
        likely_section_ids,
        kpi_labels,
        risk_topics,
        scope,
        unresolved,
        how::json as how,
        -- of what decides where multi_path looks and, by the words that named it, for what
        md5(concat_ws('|', ciks, years, section_ids, scope, how)) as entity_checksum,
    from entities
    cross join company_names

)

select * from final
