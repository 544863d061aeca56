with

sources as (

    select * from {{ ref('sources') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}
    where
        section_id = 'ITEM_7'
        and sentence_kind is distinct from 'written_row'

),

pair_sentences as (

    select * from {{ ref('int_pair_sentences') }}

),

of_filings as (

    select
        sources.source_id,
        row_number() over (
            partition by sources.source_id
            order by sentences.sentence_pos, sentences.sentence_id
        ) - 1 as sentence_no,
        sentences.sentence_id,
        sentences.sentence_text,
    from sources
    inner join sentences
        on sources.filing_id = sentences.filing_id

),

of_pairs as (

    select
        pair_sentences.source_id,
        pair_sentences.sentence_no,
        pair_sentences.sentence_id,
        pair_sentences.sentence_text,
    from pair_sentences
    inner join sources
        on pair_sentences.source_id = sources.source_id
    where sources.filing_id is null

),

unioned as (

    select * from of_filings
    union all
    select * from of_pairs

),

int_source_sentences as (

    select
        source_id,
        sentence_no::integer as sentence_no,
        sentence_id,
        sentence_text,
    from unioned

)

select * from int_source_sentences
