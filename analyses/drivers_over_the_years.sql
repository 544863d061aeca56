-- What does a company name, year by year, as the reason its revenue moved?
-- The revenue trend bundles read in order, with the words that connect cause and effect.
with

trend_sentences as (

    select * from {{ ref('v3_trend_bundles_sentences') }}

)

select
    name,
    report_year,
    array_to_string(connectors, ', ') as connectors,
    section_name,
    sentence_text,
from trend_sentences
where
    topic_label = 'revenue'
    and year_rank = 1
order by
    name,
    report_year
