-- Anchors of one section have neighbours in common and tell less than anchors of different ones: a section gives more
-- than `gold_anchors_per_section` only when every other section has given its number. Frozen anchors are taken as they
-- are.
with

anchors as (

    select * from {{ ref('int_anchor_draw') }}

),

sections as (

    select * from {{ ref('int_gold_sections') }}

),

anchor_counts as (

    select
        suite,
        filing_id,
        section_id,
        count(*) as anchor_count,
        count(*) filter (where is_frozen) as frozen_count,
    from anchors
    group by suite, filing_id, section_id

),

sections_with_room as (

    select distinct suites.suite
    from sections
    inner join (values ('p1', {{ var('p1_section_min_sentences') }}), ('p2', 1)) as suites (suite, min_sentences)
        on sections.section_sentence_count >= suites.min_sentences
    left join anchor_counts
        on suites.suite = anchor_counts.suite
        and sections.filing_id = anchor_counts.filing_id
        and sections.section_id = anchor_counts.section_id
    where
        coalesce(anchor_counts.anchor_count, 0)
        < least(sections.section_sentence_count, {{ var('gold_anchors_per_section') }})

)

select anchor_counts.*
from anchor_counts
semi join sections_with_room
    on anchor_counts.suite = sections_with_room.suite
where anchor_counts.anchor_count > greatest({{ var('gold_anchors_per_section') }}, anchor_counts.frozen_count)
