-- Sentences at their places in documents: a document is the text of a filing's item as `export corpus` writes it, its
-- sentences in order and a blank between them.
with

sentences as (

    select * from {{ ref('fct_sentences') }}

),

final as (

    select
        sentence_id,
        filing_id || '/' || section_id as document,
        filing_id,
        section_id,
        sentence_pos,
        sentence_kind,
        sentence_text,
        text_hash,
        length(sentence_text) as size,
        (sum(size + 1) over of_document - size - 1)::bigint as start_at,
        row_number() over of_document as place,
    from sentences
    window of_document as (partition by filing_id, section_id order by sentence_pos, sentence_id)

)

select * from final
