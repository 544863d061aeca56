-- What one company gives as reasons for one topic over its fiscal years: the sentences of each bundle in one row.
with

bundle_sentences as (

    select * from {{ ref('v3_trend_bundles_sentences') }}

),

bundles as (

    select
        bundle_id,
        'v3_trend' as v_group,
        bundle_type,
        cik_int,
        name,
        topic_label,
        list_sort(list(distinct report_year)) as years,
        list({
            'report_year': report_year,
            'sentenceID': sentenceID,
            'sentence_text': sentence_text
        } order by report_year, year_rank) as sentences,
        count(distinct report_year) as year_count,
        count(*) as sentence_count,
    from bundle_sentences
    group by bundle_id, bundle_type, cik_int, name, topic_label

)

select * from bundles
