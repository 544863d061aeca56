-- Which sentences state a consolidated KPI amount that the company's XBRL facts do not confirm?
-- Some are segment or quarterly figures, some are faults of the fact table; a gold answer should rest on none of them.
with

fact_matches as (

    select * from {{ ref('kpi_fact_matches') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}

),

unconfirmed as (

    select
        sentence_id,
        kpi_label,
        string_agg(distinct raw_text, ' | ') as amounts,
        arg_min(fact_value, abs(difference)) as nearest_fact_value,
        min(abs(difference)) as smallest_difference,
    from fact_matches
    group by sentence_id, kpi_label
    having not bool_or(is_match)

)

select
    sentences.company_name,
    sentences.report_year,
    unconfirmed.kpi_label,
    unconfirmed.amounts,
    unconfirmed.nearest_fact_value,
    unconfirmed.smallest_difference,
    sentences.section_id,
    sentences.sentence_text,
from unconfirmed
inner join sentences
    on unconfirmed.sentence_id = sentences.sentence_id
order by
    sentences.company_name,
    sentences.report_year,
    unconfirmed.smallest_difference
