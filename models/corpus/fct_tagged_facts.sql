with

tagged_facts as (

    select * from {{ ref('int_tagged_facts') }}

),

final as (

    select
        fact_id,
        filing_id,
        cik,
        company_name,
        report_year,
        section_id,
        concept,
        concept_words as label,
        value,
        unit,
        value_text,
        sign,
        scale,
        decimals,
        is_nil,
        period_start::date as period_start,
        period_end::date as period_end,
        dimensions,
        footnote,
        sentence_id,
        char_start::integer as char_start,
        char_end::integer as char_end,
        table_id,
        cell_id,
    from tagged_facts
    where reason is null

)

select * from final
