-- How one company explains one topic over the years: causal sentences only, each text once (in the first year that
-- has it, since a paragraph repeated word for word tells no trend), the best few per year, two fiscal years or more.
with

topic_sentences as (

    select * from {{ ref('int_topic_sentences') }}
    where is_causal

),

first_occurrences as (

    select *
    from topic_sentences
    qualify row_number() over (partition by cik, topic_label, text_hash order by report_year, sentence_id) = 1

),

ranked as (

    select
        *,
        row_number() over (
            partition by cik, topic_label, report_year
            order by evidence_score desc, sentence_id
        ) as year_rank,
        count(distinct report_year) over (partition by cik, topic_label) as year_count,
    from first_occurrences

),

chosen as (

    select * from ranked
    where
        year_count >= 2
        and year_rank <= {{ var('v3_sentences_per_year') }}

),

final as (

    select
        'v3_trend_' || lpad(cik::varchar, 10, '0') || '_' || topic_label as bundle_id,
        topic_type || '_trend' as bundle_type,
        cik as cik_int,
        last_value(company_name) over (
            partition by cik
            order by report_year, sentence_id
            rows between unbounded preceding and unbounded following
        ) as name,
        topic_label,
        report_year,
        year_rank,
        sentence_id,
        sentence_id as sentenceID,
        filing_id,
        section_id as section_name,
        connectors,
        evidence_score,
        sentence_text,
    from chosen

)

select * from final
