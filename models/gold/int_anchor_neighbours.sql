-- Neighbours are looked up in the anchor's filing. Another filing of the same company and year, an amendment say, has
-- positions of its own, so that a distance between the two means nothing; what stands there can be found by a search
-- within company, year and section, but is never gold.
--
-- Content neighbours leave out what stands near the anchor without being about it: exact repetitions of its text,
-- sentences under 4 words and pure cross-references.
with

anchors as (

    select distinct
        sentence_id,
        filing_id,
        section_id,
    from {{ ref('int_anchor_draw') }}

),

all_sentences as (

    select * from {{ ref('fct_sentences') }}
    where sentence_kind is distinct from 'written_row'

),

sentences as (

    select
        all_sentences.sentence_id,
        all_sentences.filing_id,
        all_sentences.section_id,
        all_sentences.sentence_pos,
    from all_sentences
    semi join anchors
        on all_sentences.filing_id = anchors.filing_id
        and all_sentences.section_id = anchors.section_id

),

positions as (

    {{ dense_positions('sentences') }}

),

-- neighbours in sections with gaps are found by looking at all of the section
paired_positions as (

    select *
    from positions
    where
        has_gaps
        or sentence_id in (select anchors.sentence_id from anchors)

),

pairs as (

    {{ neighbour_pairs('paired_positions', widest_window()) }}

),

neighbours as (

    select
        anchors.sentence_id as anchor_sentence_id,
        neighbour_positions.sentence_id,
        abs(pairs.distance)::integer as position_distance,
    from pairs
    inner join positions as anchor_positions
        on pairs.sentence_key = anchor_positions.sentence_key
    inner join anchors
        on anchor_positions.sentence_id = anchors.sentence_id
    inner join positions as neighbour_positions
        on pairs.neighbour_key = neighbour_positions.sentence_key

),

involved_sentences as (

    select
        all_sentences.sentence_id,
        all_sentences.text_hash,
        all_sentences.word_count >= 4
        and not {{ is_cross_reference('all_sentences.sentence_text') }} as says_something,
    from all_sentences
    where
        all_sentences.sentence_id in (select neighbours.sentence_id from neighbours)
        or all_sentences.sentence_id in (select anchors.sentence_id from anchors)

),

final as (

    select
        neighbours.anchor_sentence_id,
        neighbours.sentence_id,
        neighbours.position_distance,
        neighbour_sentences.says_something
        and neighbour_sentences.text_hash != anchor_sentences.text_hash as is_content,
    from neighbours
    inner join involved_sentences as anchor_sentences
        on neighbours.anchor_sentence_id = anchor_sentences.sentence_id
    inner join involved_sentences as neighbour_sentences
        on neighbours.sentence_id = neighbour_sentences.sentence_id

)

select * from final
