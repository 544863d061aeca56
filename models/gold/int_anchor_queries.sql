-- Anchors as retrieval queries: their text is what is searched for, and their filing is what a regime may filter by.
-- A company's anchors are no independent draws, and neither are anchors with one text, in whatever companies.
with

p1_anchors as (

    select * from {{ ref('p1_anchors') }}

),

p2_anchors as (

    select * from {{ ref('p2_anchors') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}

),

filings as (

    select * from {{ ref('dim_filings') }}

),

anchors as (

    select
        'p1' as suite,
        query_id,
        sentence_id,
        is_frozen,
        inclusion_probability,
    from p1_anchors

    union all

    select
        'p2' as suite,
        query_id,
        sentence_id,
        is_frozen,
        inclusion_probability,
    from p2_anchors

),

final as (

    select
        anchors.suite,
        anchors.query_id,
        anchors.sentence_id,
        sentences.sentence_text as query_text,
        sentences.text_hash,
        sentences.filing_id,
        sentences.cik,
        sentences.company_name,
        sentences.report_year,
        sentences.section_id,
        sentences.section_heading,
        filings.form_type,
        anchors.is_frozen,
        sentences.cik::varchar as cluster_id,
        sentences.text_hash as second_cluster_id,
        anchors.inclusion_probability,
    from anchors
    inner join sentences
        on anchors.sentence_id = sentences.sentence_id
    inner join filings
        on sentences.filing_id = filings.filing_id

)

select * from final
