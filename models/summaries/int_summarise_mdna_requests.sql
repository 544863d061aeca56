-- What summarisers are asked: a piece of a filing's Item 7, its sentences by their numbers, which cost fewer tokens
-- than their ids. The general summary of a source has 100 to 150 words; of several pieces each writes its share.
with

chunks as (

    select * from {{ ref('int_summary_chunks') }}

),

sources as (

    select * from {{ ref('sources') }}

),

sentences as (

    select * from {{ ref('int_source_sentences') }}

),

sentence_lists as (

    select
        chunks.source_id,
        chunks.chunk_no,
        list(
            { 'n': sentences.sentence_no, 'text': sentences.sentence_text } order by sentences.sentence_no
        ) as sentences,
    from chunks
    inner join sentences
        on chunks.source_id = sentences.source_id
        and sentences.sentence_no between chunks.first_sentence_no and chunks.last_sentence_no
    group by
        chunks.source_id,
        chunks.chunk_no

),

requests as (

    select
        md5(concat_ws('|', chunks.source_id, chunks.chunk_no, chunks.chunk_count)) as item_id,
        chunks.source_id,
        chunks.chunk_no,
        chunks.chunk_count,
        chunks.estimated_tokens,
        chunks.budget_tokens,
        json_object(
            'company_name', sources.company_name,
            'report_year', sources.report_year,
            'chunk_no', chunks.chunk_no,
            'chunk_count', chunks.chunk_count,
            'general_words', [
                ceil({{ general_summary_words()[0] }} / chunks.chunk_count)::integer,
                greatest(
                    floor({{ general_summary_words()[1] }} / chunks.chunk_count),
                    ceil({{ general_summary_words()[0] }} / chunks.chunk_count)
                )::integer
            ],
            'sentences', to_json(sentence_lists.sentences)
        )::varchar as inputs,
    from chunks
    inner join sources
        on chunks.source_id = sources.source_id
    inner join sentence_lists
        on chunks.source_id = sentence_lists.source_id
        and chunks.chunk_no = sentence_lists.chunk_no

)

select * from requests
