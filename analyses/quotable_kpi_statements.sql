-- Which sentence states a company's KPI for a year with a figure that its XBRL facts confirm?
-- Best evidence first; change the label and the years to taste.
with

fact_matches as (

    select * from {{ ref('kpi_fact_matches') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}

)

select
    sentences.company_name,
    sentences.report_year,
    fact_matches.kpi_label,
    fact_matches.raw_text,
    fact_matches.fact_value,
    fact_matches.match_basis,
    sentences.section_id,
    sentences.sentence_text,
from fact_matches
inner join sentences
    on fact_matches.sentence_id = sentences.sentence_id
where
    fact_matches.is_match
    and fact_matches.match_basis = 'level'
    and sentences.word_count between 8 and 60
qualify row_number() over (
    partition by fact_matches.cik, fact_matches.report_year, fact_matches.kpi_label
    order by (sentences.section_id = 'ITEM_7') desc, fact_matches.rounding, sentences.word_count, fact_matches.sentence_id
) = 1
order by
    sentences.company_name,
    sentences.report_year,
    fact_matches.kpi_label
