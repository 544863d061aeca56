-- What one filing defines or attributes, by topic, with the terms that it defines. "Comparable sales" and "comparable
-- sales" are one term, written as the first sentence writes it.
with

sentences as (

    select * from {{ ref('v5_definition_bundles_sentences') }}

),

bundle_sentences as (

    select
        *,
        row_number() over (
            partition by bundle_id, lower(defined_term)
            order by sentence_rank
        ) as term_rank,
    from sentences

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
        list_sort(list(defined_term) filter (where defined_term is not null and term_rank = 1)) as defined_terms,
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
