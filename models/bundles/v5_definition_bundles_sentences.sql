-- Definitions and verification candidates of one filing, by topic; each text once per bundle.
with

definition_matches as (

    select * from {{ ref('int_definition_matches') }}

),

quotable as (

    select * from definition_matches
    where word_count between 6 and 120

),

distinct_texts as (

    select *
    from quotable
    window same_text as (partition by filing_id, candidate_type, topic_label, lower(sentence_text))
    qualify row_number() over (same_text order by section_id, sentence_pos) = 1

),

final as (

    select
        'v5_' || candidate_type || '_' || filing_id || '_' || topic_label as bundle_id,
        candidate_type,
        topic_label,
        defined_term,
        cik as cik_int,
        company_name as name,
        report_year,
        row_number() over (
            partition by filing_id, candidate_type, topic_label
            order by section_id, sentence_pos
        ) as sentence_rank,
        sentence_id,
        sentence_id as sentenceID,
        filing_id,
        section_id as section_name,
        trim(matched_phrase) as matched_phrase,
        coalesce(connectors, []) as connectors,
        sentence_text,
    from distinct_texts

)

select * from final
