-- Where sentences of 10-Ks in HTML stand in their item, counted in letters and digits, which splitting neither adds nor
-- drops: so a place in the HTML is found again in the sentences.
with

sentences as (

    select
        sentence_id,
        filing_id,
        section_id,
        sentence_pos,
        sentence_text,
        length(regexp_replace(sentence_text, '[^\p{L}\p{N}]+', '', 'g')) as letter_count,
    from {{ ref('fct_sentences') }}
    where
        source = 'edgar_html'
        and sentence_kind != 'written_row'

),

placed as (

    select
        *,
        sum(letter_count) over (
            partition by filing_id, section_id
            order by sentence_pos
        )::bigint as item_end,
        item_end - letter_count as item_start,
    from sentences

)

select * from placed
