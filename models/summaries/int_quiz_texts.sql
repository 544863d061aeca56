-- Every text that questions are written from or answered from: sources, and the whole summaries of them. Equal
-- summaries of a source are one text, whoever wrote them. A source stands with a sentence on each line.
with

sources as (

    select * from {{ ref('sources') }}

),

sentences as (

    select * from {{ ref('int_source_sentences') }}

),

whole_summaries as (

    select * from {{ ref('int_whole_summaries') }}

),

source_texts as (

    select
        source_id,
        string_agg(sentence_text, chr(10) order by sentence_no) as text,
    from sentences
    group by source_id

),

of_sources as (

    select
        sources.source_id as text_id,
        'source' as origin,
        sources.source_id,
        sources.company_name,
        source_texts.text,
    from sources
    inner join source_texts
        on sources.source_id = source_texts.source_id

),

of_summaries as (

    select distinct
        whole_summaries.text_id,
        'summary' as origin,
        whole_summaries.source_id,
        sources.company_name,
        coalesce(whole_summaries.summary_text, '') as text,
    from whole_summaries
    inner join of_sources as sources
        on whole_summaries.source_id = sources.source_id
    where not whole_summaries.is_error

),

texts as (

    select * from of_sources
    union all
    select * from of_summaries

)

select * from texts
