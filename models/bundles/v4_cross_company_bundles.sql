-- What several companies say of one topic in one fiscal year: the sentences of each bundle in one row.
with

bundle_sentences as (

    select * from {{ ref('v4_cross_company_bundles_sentences') }}

),

bundles as (

    select
        bundle_id,
        'v4_cross_company' as v_group,
        bundle_type,
        report_year,
        topic_label,
        list({
            'cik_int': cik_int,
            'name': name,
            'sentenceID': sentenceID,
            'sentence_text': sentence_text
        } order by company_rank, company_sentence_rank) as company_sentences,
        list_sort(list(distinct cik_int)) as cik_ints,
        count(distinct cik_int) as company_count,
        any_value(candidate_company_count) as candidate_company_count,
        count(*) as sentence_count,
    from bundle_sentences
    group by bundle_id, bundle_type, report_year, topic_label

)

select * from bundles
