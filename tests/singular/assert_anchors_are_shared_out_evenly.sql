-- The hardest cases of a published run all came from one company, because its anchors were the first of a file. Here
-- buckets share the anchors of a suite, and strata (section and company) those of a bucket: a share exceeds another by
-- more than one only where the other has no candidate left. Frozen anchors are taken as they are.
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
        count(*) filter (where not is_frozen) as newly_drawn_count,
    from anchors
    group by suite, filing_id, section_id

),

eligible_sections as (

    select
        suites.suite,
        sections.*,
        least(sections.section_sentence_count, {{ var('gold_anchors_per_section') }}) as capped_count,
        coalesce(sum(capped_count) over (partition by suites.suite) < suites.anchor_limit, false) as is_cap_lifted,
    from sections
    inner join (
        values
        ('p1', {{ anchor_limit('p1_anchors') }}, {{ var('p1_section_min_sentences') }}),
        ('p2', {{ anchor_limit('p2_anchors') }}, 1)
    ) as suites (suite, anchor_limit, min_sentences)
        on sections.section_sentence_count >= suites.min_sentences

),

-- what each section gave, and what it can still give: up to the cap, and beyond it where the cap does not hold
section_counts as (

    select
        eligible_sections.suite,
        eligible_sections.section_length_bucket,
        eligible_sections.section_id || ' of ' || eligible_sections.cik as stratum,
        coalesce(anchor_counts.anchor_count, 0) as anchor_count,
        coalesce(anchor_counts.newly_drawn_count, 0) as newly_drawn_count,
        bool_and(coalesce(anchor_counts.anchor_count, 0) >= capped_count) over (
            partition by eligible_sections.suite
        ) as is_cap_reached,
        case
            when eligible_sections.is_cap_lifted or is_cap_reached
                then section_sentence_count - coalesce(anchor_counts.anchor_count, 0)
            else greatest(capped_count - coalesce(anchor_counts.anchor_count, 0), 0)
        end as left_count,
    from eligible_sections
    left join anchor_counts
        on eligible_sections.suite = anchor_counts.suite
        and eligible_sections.filing_id = anchor_counts.filing_id
        and eligible_sections.section_id = anchor_counts.section_id

),

compared as (

    select
        suite,
        'buckets' as compared_among,
        section_length_bucket as share,
        sum(anchor_count) as anchor_count,
        sum(newly_drawn_count) as newly_drawn_count,
        sum(left_count) as left_count,
    from section_counts
    group by suite, section_length_bucket

    union all

    select
        suite,
        'strata of ' || section_length_bucket as compared_among,
        stratum as share,
        sum(anchor_count) as anchor_count,
        sum(newly_drawn_count) as newly_drawn_count,
        sum(left_count) as left_count,
    from section_counts
    group by suite, section_length_bucket, stratum

),

smallest_unfinished as (

    select
        suite,
        compared_among,
        min(anchor_count) as anchor_count,
    from compared
    where left_count > 0
    group by suite, compared_among

)

select compared.*
from compared
inner join smallest_unfinished
    on compared.suite = smallest_unfinished.suite
    and compared.compared_among = smallest_unfinished.compared_among
where
    compared.newly_drawn_count > 0
    and compared.anchor_count > smallest_unfinished.anchor_count + 1
