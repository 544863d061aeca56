with

entities as (

    select * from {{ ref('int_question_entities') }}

),

companies as (

    select * from {{ ref('dim_companies') }}

),

final as (

    select
        suite,
        query_id,
        ciks,
        list_transform(
            ciks, lambda cik: (select map(list(companies.cik), list(companies.company_name)) from companies)[cik]
        ) as company_names,
        years,
        section_ids,
        likely_section_ids,
        kpi_labels,
        risk_topics,
        scope,
        unresolved,
        how::json as how,
        md5(concat_ws('|', ciks, years, section_ids, scope)) as entity_checksum,
    from entities

)

select * from final
