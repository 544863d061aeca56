-- The document and the page that every sentence stands in, as suites name them that judge these: 3M_2018_10K,
-- 3M_2018_10K/page_60. Searches rank sentences; a document, or a page, is found where its first sentence is.
with

sentences as (

    select * from {{ ref('fct_sentences') }}

),

final as (

    select
        sentence_id,
        filing_id,
        null::integer as page_no,
        'document' as unit,
        filing_id as place_id,
    from sentences

    union all

    select
        sentence_id,
        filing_id,
        page_no,
        'page' as unit,
        filing_id || '/page_' || page_no as place_id,
    from sentences
    where page_no is not null

)

select * from final
