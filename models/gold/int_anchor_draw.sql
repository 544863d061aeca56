-- Anchors are drawn from strata: section-length bucket × section × company.
--
-- Buckets are balanced, not proportional: each gets its quarter of the anchors as long as it has candidates (P1, which
-- has no short sections, a half), because a rate per bucket needs anchors in every bucket, and in filings as they are
-- nine of ten sentences stand in long sections. Figures over all anchors are therefore averages over the drawn anchors,
-- not over the sentences of the corpus.
--
-- Within a bucket one anchor is taken from each stratum in turn, in hashed order. Within a stratum its sections take
-- turns, so that no section gives a second anchor before all have given one, and within a section the hash chooses the
-- sentence. A section gives at most `gold_anchors_per_section` anchors. Where all sections together cannot make up the
-- number under that cap, there is none, and the shares are even all the same; where all sentences are asked for, those
-- over the cap follow after all others.
--
-- Sentences of a baseline that are still there with the same text come before all others, counted in the same shares.
--
-- The draw is over slots (the first, second … anchor of a section), so that only sentences of drawn sections are
-- hashed. A hash depends on nothing but the seed and the ids: a filing that is added takes the turns it wins and
-- leaves the order of the others as it was.
{% set cap = var('gold_anchors_per_section') -%}
{% set seed = "'" ~ var('gold_seed') | string | replace("'", "''") ~ "'" -%}
with

sections as (

    select * from {{ ref('int_gold_sections') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}

),

baseline_items as (

    select * from {{ ref('baseline_items') }}

),

suites as (

    select
        'p1' as suite,
        {{ anchor_limit('p1_anchors') }} as anchor_limit,
        {{ var('p1_section_min_sentences') }} as min_sentences,

    union all

    select
        'p2' as suite,
        {{ anchor_limit('p2_anchors') }} as anchor_limit,
        1 as min_sentences,

),

frozen_sentences as (

    select distinct
        baseline_items.suite,
        sentences.sentence_id,
        sentences.filing_id,
        sentences.section_id,
    from sentences
    inner join baseline_items
        on sentences.sentence_id = baseline_items.sentence_id
        and sentences.text_hash = baseline_items.text_hash

),

frozen_counts as (

    select
        suite,
        filing_id,
        section_id,
        count(*) as frozen_count,
    from frozen_sentences
    group by suite, filing_id, section_id

),

eligible_sections as (

    select
        suites.suite,
        suites.anchor_limit,
        sections.filing_id,
        sections.section_id,
        sections.cik,
        sections.section_sentence_count,
        sections.section_length_bucket,
        coalesce(frozen_counts.frozen_count, 0) as frozen_count,
        {{ stable_hash([seed, 'suites.suite', 'sections.filing_id', 'sections.section_id']) }} as section_hash,
        {{ stable_hash([seed, 'suites.suite', 'sections.section_id', 'sections.cik']) }} as stratum_hash,
    from sections
    inner join suites
        on sections.section_sentence_count >= suites.min_sentences
    left join frozen_counts
        on suites.suite = frozen_counts.suite
        and sections.filing_id = frozen_counts.filing_id
        and sections.section_id = frozen_counts.section_id

),

-- the cap, lifted where it stands in the way of the number of anchors
slot_limits as (

    select
        suite,
        case
            when sum(least(section_sentence_count, greatest({{ cap }}, frozen_count))) >= any_value(anchor_limit)
                then {{ cap }}
            else max(section_sentence_count)
        end as slots_per_section,
        coalesce(
            sum(least(section_sentence_count, greatest({{ cap }}, frozen_count))) < any_value(anchor_limit), false
        ) as is_cap_lifted,
    from eligible_sections
    group by suite

),

slots as (

    select
        eligible_sections.*,
        slot_limits.is_cap_lifted,
        unnest(range(
            1,
            least(section_sentence_count, greatest(slots_per_section, frozen_count)) + 1
        )) as sentence_rank,
    from eligible_sections
    inner join slot_limits
        on eligible_sections.suite = slot_limits.suite

),

classed_slots as (

    select
        *,
        sentence_rank <= frozen_count as is_frozen,
        sentence_rank > greatest({{ cap }}, frozen_count) and not is_cap_lifted as is_over_cap,
    from slots

),

ranked_in_stratum as (

    select
        *,
        row_number() over (
            partition by suite, section_length_bucket, section_id, cik
            order by not is_frozen, sentence_rank, section_hash, filing_id
        ) as stratum_rank,
    from classed_slots

),

ranked_in_bucket as (

    select
        *,
        row_number() over (
            partition by suite, section_length_bucket
            order by not is_frozen, is_over_cap, stratum_rank, stratum_hash, section_id, cik
        ) as bucket_rank,
    from ranked_in_stratum

),

drawn_slots as (

    select
        *,
        row_number() over (
            partition by suite
            order by not is_frozen, is_over_cap, bucket_rank, section_length_bucket
        ) as draw_rank,
    from ranked_in_bucket
    qualify draw_rank <= coalesce(anchor_limit, draw_rank)

),

bucket_sizes as (

    select
        suite,
        section_length_bucket,
        sum(section_sentence_count) as sentence_count,
    from eligible_sections
    group by suite, section_length_bucket

),

drawn_sections as (

    select distinct
        suite,
        filing_id,
        section_id,
    from drawn_slots

),

candidates as (

    select
        drawn_sections.suite,
        sentences.sentence_id,
        sentences.filing_id,
        sentences.section_id,
        sentences.sentence_pos,
        row_number() over (
            partition by drawn_sections.suite, sentences.filing_id, sentences.section_id
            order by
                frozen_sentences.sentence_id is null,
                {{ stable_hash([seed, 'drawn_sections.suite', 'sentences.sentence_id']) }},
                sentences.sentence_id
        ) as sentence_rank,
    from sentences
    inner join drawn_sections
        on sentences.filing_id = drawn_sections.filing_id
        and sentences.section_id = drawn_sections.section_id
    left join frozen_sentences
        on drawn_sections.suite = frozen_sentences.suite
        and sentences.sentence_id = frozen_sentences.sentence_id

),

final as (

    select
        drawn_slots.suite,
        drawn_slots.suite || ':' || candidates.sentence_id as query_id,
        candidates.sentence_id,
        drawn_slots.filing_id,
        drawn_slots.cik,
        sections.company_name,
        sections.report_year,
        drawn_slots.section_id,
        candidates.sentence_pos,
        drawn_slots.section_sentence_count,
        drawn_slots.section_length_bucket,
        drawn_slots.draw_rank::integer as draw_rank,
        drawn_slots.is_frozen,
        least(
            1,
            count(*) over (partition by drawn_slots.suite, drawn_slots.section_length_bucket)
            / bucket_sizes.sentence_count
        )::double as inclusion_probability,
    from drawn_slots
    inner join candidates
        on drawn_slots.suite = candidates.suite
        and drawn_slots.filing_id = candidates.filing_id
        and drawn_slots.section_id = candidates.section_id
        and drawn_slots.sentence_rank = candidates.sentence_rank
    inner join sections
        on drawn_slots.filing_id = sections.filing_id
        and drawn_slots.section_id = sections.section_id
    inner join bucket_sizes
        on drawn_slots.suite = bucket_sizes.suite
        and drawn_slots.section_length_bucket = bucket_sizes.section_length_bucket

)

select * from final
