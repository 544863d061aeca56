-- The hardest cases of a published run all came from one company, because its anchors were the first of a file. Here
-- buckets share the anchors of a suite evenly: a share exceeds another by more than one only where the other has no
-- candidate left. Within a bucket every section gives the whole number below or above its expected number, and one more
-- or less where the number of the bucket's anchors asks for it. And the weights of a bucket's anchors add up to its
-- sentences. Anchors of one section have neighbours in common and tell less than anchors of different ones: a section
-- gives more than `gold_anchors_per_section` only where all sections together cannot make up the number under that cap,
-- or where all sentences are asked for. Frozen anchors that the draw left out have no part in this.
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
        sum(1 / inclusion_probability) as weight,
        any_value(inclusion_probability * section_sentence_count) as expected_count,
    from anchors
    group by suite, filing_id, section_id

),

eligible_sections as (

    select
        suites.suite,
        sections.*,
        least(sections.section_sentence_count, {{ setting('gold_anchors_per_section') }}) as capped_count,
        sum(capped_count) over (partition by suites.suite) as capped_total,
        coalesce(capped_total < suites.anchor_limit, false) as is_cap_lifted,
        coalesce(capped_total >= suites.anchor_limit, false) as is_capped,
    from sections
    inner join (
        values
        ('p1', {{ anchor_limit('p1_anchors') }}, {{ var('p1_section_min_sentences') }}),
        ('p2', {{ anchor_limit('p2_anchors') }}, 1)
    ) as suites (suite, anchor_limit, min_sentences)
        on sections.section_sentence_count >= suites.min_sentences

),

buckets as (

    select
        eligible_sections.suite,
        eligible_sections.section_length_bucket,
        sum(eligible_sections.section_sentence_count) as sentence_count,
        sum(if(is_cap_lifted, section_sentence_count, capped_count)) as slot_count,
        coalesce(sum(anchor_counts.anchor_count), 0) as anchor_count,
        coalesce(sum(anchor_counts.weight), 0) as weight,
    from eligible_sections
    left join anchor_counts
        on eligible_sections.suite = anchor_counts.suite
        and eligible_sections.filing_id = anchor_counts.filing_id
        and eligible_sections.section_id = anchor_counts.section_id
    group by eligible_sections.suite, eligible_sections.section_length_bucket

),

unfinished as (

    select
        suite,
        min(anchor_count) as smallest_count,
    from buckets
    where anchor_count < slot_count
    group by suite

),

violations as (

    select
        'bucket exceeds another' as violation,
        buckets.suite,
        buckets.section_length_bucket as share,
    from buckets
    inner join unfinished
        on buckets.suite = unfinished.suite
    where
        buckets.anchor_count > unfinished.smallest_count + 1
        -- all sentences of all sections are drawn beyond any cap
        and buckets.anchor_count <= buckets.slot_count

    union all

    select
        'section is out of proportion' as violation,
        suite,
        filing_id || ' ' || section_id as share,
    from anchor_counts
    where abs(anchor_count - expected_count) >= 2

    union all

    select
        'section gives more than the cap' as violation,
        anchor_counts.suite,
        anchor_counts.filing_id || ' ' || anchor_counts.section_id as share,
    from anchor_counts
    inner join eligible_sections
        on anchor_counts.suite = eligible_sections.suite
        and anchor_counts.filing_id = eligible_sections.filing_id
        and anchor_counts.section_id = eligible_sections.section_id
    where
        eligible_sections.is_capped
        and anchor_counts.anchor_count > eligible_sections.capped_count

    union all

    select
        'weights do not add up' as violation,
        suite,
        section_length_bucket as share,
    from buckets
    where
        anchor_count >= 50
        and abs(weight / sentence_count - 1) > 0.02

)

select * from violations
