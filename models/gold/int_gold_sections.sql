with

sentences as (

    select * from {{ ref('fct_sentences') }}
    where sentence_kind is distinct from 'written_row'

),

sections as (

    select
        filing_id,
        section_id,
        any_value(cik) as cik,
        any_value(company_name) as company_name,
        any_value(report_year) as report_year,
        count(*) as section_sentence_count,
    from sentences
    group by filing_id, section_id

),

final as (

    select
        *,
        case
            when section_sentence_count < 10 then '<10'
            when section_sentence_count < 20 then '10-19'
            when section_sentence_count < 40 then '20-39'
            else '40+'
        end as section_length_bucket,
    from sections

)

select * from final
