-- Which sentence states a company's KPI for a year with a figure that its XBRL facts confirm?
-- Best evidence first; change the label and the years to taste.
with

fact_matches as (

    select * from {{ ref('kpi_fact_matches') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}

),

confirmed as (

    select
        fact_matches.*,
        sentences.company_name,
        sentences.section_id,
        sentences.sentence_text,
        sentences.word_count,
        sentences.section_id = 'ITEM_7' as is_in_discussion,
    from fact_matches
    inner join sentences
        on fact_matches.sentence_id = sentences.sentence_id
    where
        fact_matches.is_match
        and fact_matches.match_basis = 'level'
        and sentences.word_count between 8 and 60

)

select
    company_name,
    report_year,
    kpi_label,
    raw_text,
    fact_value,
    section_id,
    sentence_text,
from confirmed
window statements as (partition by cik, report_year, kpi_label)
qualify row_number() over (statements order by is_in_discussion desc, rounding, word_count, sentence_id) = 1
order by
    company_name,
    report_year,
    kpi_label
