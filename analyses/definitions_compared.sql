-- How does each company define Adjusted EBITDA, free cash flow and its other own measures, and did the wording change?
with

definitions as (

    select * from {{ ref('v5_definition_bundles_sentences') }}
    where candidate_type = 'definition'

)

select
    topic_label,
    name,
    report_year,
    defined_term,
    section_name,
    sentence_text,
    count(distinct filing_id) over (partition by cik_int, lower(sentence_text)) as filings_with_this_wording,
from definitions
qualify row_number() over (partition by cik_int, lower(sentence_text) order by report_year, sentence_id) = 1
order by
    topic_label,
    name,
    report_year
