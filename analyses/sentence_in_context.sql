-- What stands around a sentence? The two sentences before and after each revenue statement of management's discussion,
-- to judge whether a quotation is fair.
with

kpi_scan as (

    select * from {{ ref('v1_kpi_scan') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}
    where section_id = 'ITEM_7'

),

positions as (

    {{ dense_positions('sentences') }}

),

pairs as (

    {{ neighbour_pairs('positions', 2) }}

),

quoted as (

    select
        kpi_scan.sentence_id,
        positions.sentence_key,
    from kpi_scan
    inner join positions
        on kpi_scan.sentence_id = positions.sentence_id
    where
        kpi_scan.kpi_label = 'revenue'
        and kpi_scan.amount_count > 0

),

context as (

    select
        quoted.sentence_id,
        string_agg(case when distance < 0 then sentence_text end, ' ' order by distance) as text_before,
        string_agg(case when distance > 0 then sentence_text end, ' ' order by distance) as text_after,
    from quoted
    inner join pairs
        on quoted.sentence_key = pairs.sentence_key
    inner join positions
        on pairs.neighbour_key = positions.sentence_key
    inner join sentences
        on positions.sentence_id = sentences.sentence_id
    group by quoted.sentence_id

)

select
    sentences.company_name,
    sentences.report_year,
    context.text_before,
    sentences.sentence_text,
    context.text_after,
from context
inner join sentences
    on context.sentence_id = sentences.sentence_id
order by
    sentences.company_name,
    sentences.report_year,
    sentences.sentence_pos
