-- Anchors of one section have neighbours in common and tell less than anchors of different ones: a section gives more
-- than `gold_anchors_per_section` only where all sections together cannot make up the number under that cap, or where
-- all sentences are asked for. Frozen anchors that the draw left out are not counted.
with

anchors as (

    select * from {{ ref('int_anchor_draw') }}
    where inclusion_probability is not null

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
    from anchors
    group by suite, filing_id, section_id

),

suites_under_the_cap as (

    select suites.suite
    from sections
    inner join (
        values
        ('p1', {{ anchor_limit('p1_anchors') }}, {{ var('p1_section_min_sentences') }}),
        ('p2', {{ anchor_limit('p2_anchors') }}, 1)
    ) as suites (suite, anchor_limit, min_sentences)
        on sections.section_sentence_count >= suites.min_sentences
    group by suites.suite, suites.anchor_limit
    having sum(least(sections.section_sentence_count, {{ setting('gold_anchors_per_section') }})) >= suites.anchor_limit

)

select anchor_counts.*
from anchor_counts
semi join suites_under_the_cap
    on anchor_counts.suite = suites_under_the_cap.suite
where anchor_counts.anchor_count > {{ setting('gold_anchors_per_section') }}
