with

bundle_sentences as (

    select * from {{ ref('v5_definition_bundles_sentences') }}

),

bundles as (

    select
        bundle_id,
        'v5_definition' as v_group,
        candidate_type,
        topic_label,
        cik_int,
        name,
        report_year,
        filing_id,
        list_sort(list(distinct defined_term) filter (where defined_term is not null)) as defined_terms,
        list({
            'section_name': section_name,
            'sentenceID': sentenceID,
            'sentence_text': sentence_text
        } order by sentence_rank) as sentences,
        count(*) as sentence_count,
    from bundle_sentences
    group by bundle_id, candidate_type, topic_label, cik_int, name, report_year, filing_id

)

select * from bundles
