-- Anchors are drawn from section-length buckets, and within a bucket from strata of section × company, in proportion to
-- their sentences.
--
-- Buckets are balanced, not proportional: each gets its quarter of the anchors as long as it has candidates (P1, which
-- has no short sections, a half), because a rate per bucket needs anchors in every bucket, and in filings as they are
-- nine of ten sentences stand in long sections. A plain mean over the anchors is therefore one over the draw; weighted
-- by 1 / inclusion_probability it speaks of the sentences of the corpus (Hájek 1971).
--
-- Within a bucket every sentence has the same chance, as far as the cap allows. The r-th anchor of a section of M
-- sentences has the priority (r - 1 + u) / M, u being the section's number between 0 and 1, and the smallest
-- priorities are drawn: systematic sampling with a start of its own for every section, so that of c M expected anchors
-- a section gives the whole number below or above. The sections of a stratum have their starts evenly apart, the first
-- one hashed, so that they take turns and the stratum too gets about its share. Within a section the hash chooses the
-- sentence. A section gives at most `gold_anchors_per_section` anchors. Where all sections together cannot make up the
-- number under that cap, there is none; where all sentences are asked for, those over the cap follow after all others.
--
-- inclusion_probability is the expected number of the section's anchors, min(cap, c M), by its sentences, c being such
-- that a bucket's expected numbers add up to the anchors that it gives. Because that number is fixed and c is not, the
-- value is exact but for terms of order 1 / n, as in sequential Poisson sampling (Ohlsson 1998, Journal of Official
-- Statistics 14); tests/python/test_anchor_draw.py replays the draw over many seeds.
--
-- A number depends on nothing but the seed and the ids (permanent random numbers), so a filing that is added takes the
-- turns it wins: it can only push out those drawn last, and the order of all strata but its own stays as it was.
--
-- Sentences of a baseline that are still there with the same text are anchors in any case. Those that the draw itself
-- takes are a part of it; the others, which a changed corpus pushed out, come after it, no more than make the baseline's
-- anchors up to the number wanted. They were not drawn from this corpus and stand for nothing but themselves, so they
-- have no inclusion_probability, and a weighted value leaves them out.
{% set cap = setting('gold_anchors_per_section') -%}
{% set seed = "'" ~ setting('gold_seed') | string | replace("'", "''") ~ "'" -%}
with

sections as (

    select * from {{ ref('int_gold_sections') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}
    where sentence_kind is distinct from 'written_row'

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

eligible_sections as (

    select
        suites.suite,
        suites.anchor_limit,
        sections.*,
        {{ stable_hash([seed, 'suites.suite', 'sections.filing_id', 'sections.section_id']) }} as section_hash,
        {{ stable_hash([seed, 'suites.suite', 'sections.section_id', 'sections.cik']) }} as stratum_hash,
    from sections
    inner join suites
        on sections.section_sentence_count >= suites.min_sentences

),

-- the cap, lifted where it stands in the way of the number of anchors
slot_limits as (

    select
        suite,
        coalesce(sum(least(section_sentence_count, {{ cap }})) < any_value(anchor_limit), false) as is_cap_lifted,
        if(
            is_cap_lifted or any_value(anchor_limit) is null, max(section_sentence_count), {{ cap }}
        ) as slots_per_section,
    from eligible_sections
    group by suite

),

started_sections as (

    select
        eligible_sections.*,
        slot_limits.is_cap_lifted,
        least(eligible_sections.section_sentence_count, slot_limits.slots_per_section) as slot_count,
        (
            eligible_sections.stratum_hash / pow(2, 64)
            + (row_number() over stratum_order - 1) / count(*) over stratum
        ) % 1 as section_start,
    from eligible_sections
    inner join slot_limits
        on eligible_sections.suite = slot_limits.suite
    window
        stratum as (
            partition by
                eligible_sections.suite,
                eligible_sections.section_length_bucket,
                eligible_sections.section_id,
                eligible_sections.cik
        ),
        stratum_order as (
            partition by
                eligible_sections.suite,
                eligible_sections.section_length_bucket,
                eligible_sections.section_id,
                eligible_sections.cik
            order by eligible_sections.section_hash, eligible_sections.filing_id
        )

),

slots as (

    select
        *,
        unnest(range(1, slot_count + 1)) as sentence_rank,
        sentence_rank > {{ cap }} and not is_cap_lifted as is_over_cap,
        (sentence_rank - 1 + section_start) / section_sentence_count as priority,
    from started_sections

),

ranked_in_bucket as (

    select
        *,
        row_number() over (
            partition by suite, section_length_bucket
            order by is_over_cap, priority, section_hash, filing_id, section_id
        ) as bucket_rank,
    from slots

),

drawn_slots as (

    select
        *,
        row_number() over (
            partition by suite
            order by is_over_cap, bucket_rank, section_length_bucket
        ) as draw_rank,
    from ranked_in_bucket
    qualify draw_rank <= coalesce(anchor_limit, draw_rank)

),

bucket_draws as (

    select
        suite,
        section_length_bucket,
        count(*) as drawn_count,
    from drawn_slots
    group by suite, section_length_bucket

),

-- If all longer sections give their cap, this one and the shorter ones share what is left at one rate per sentence.
shared_rates as (

    select
        started_sections.suite,
        started_sections.section_length_bucket,
        started_sections.section_sentence_count,
        started_sections.slot_count,
        row_number() over longest_first as length_rank,
        bucket_draws.drawn_count
        - coalesce(sum(started_sections.slot_count) over (
            longest_first rows between unbounded preceding and 1 preceding
        ), 0) as left_count,
        sum(started_sections.section_sentence_count) over (
            longest_first rows between current row and unbounded following
        ) as left_sentences,
    from started_sections
    inner join bucket_draws
        on started_sections.suite = bucket_draws.suite
        and started_sections.section_length_bucket = bucket_draws.section_length_bucket
    window
        longest_first as (
            partition by started_sections.suite, started_sections.section_length_bucket
            order by
                started_sections.section_sentence_count desc,
                started_sections.filing_id,
                started_sections.section_id
        )

),

-- the rate of the longest section that it keeps within its cap
bucket_rates as (

    select
        suite,
        section_length_bucket,
        min_by(left_count / left_sentences, length_rank) as rate,
    from shared_rates
    where left_count * section_sentence_count <= slot_count * left_sentences
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
        row_number() over (
            partition by drawn_sections.suite, sentences.filing_id, sentences.section_id
            order by
                {{ stable_hash([seed, 'drawn_sections.suite', 'sentences.sentence_id']) }},
                sentences.sentence_id
        ) as sentence_rank,
    from sentences
    inner join drawn_sections
        on sentences.filing_id = drawn_sections.filing_id
        and sentences.section_id = drawn_sections.section_id

),

drawn_sentences as (

    select
        drawn_slots.suite,
        candidates.sentence_id,
        drawn_slots.draw_rank,
        least(
            drawn_slots.slot_count, bucket_rates.rate * drawn_slots.section_sentence_count
        ) / drawn_slots.section_sentence_count as inclusion_probability,
    from drawn_slots
    inner join candidates
        on drawn_slots.suite = candidates.suite
        and drawn_slots.filing_id = candidates.filing_id
        and drawn_slots.section_id = candidates.section_id
        and drawn_slots.sentence_rank = candidates.sentence_rank
    inner join bucket_rates
        on drawn_slots.suite = bucket_rates.suite
        and drawn_slots.section_length_bucket = bucket_rates.section_length_bucket

),

frozen_sentences as (

    select distinct
        eligible_sections.suite,
        eligible_sections.anchor_limit,
        sentences.sentence_id,
    from sentences
    inner join baseline_items
        on sentences.sentence_id = baseline_items.sentence_id
        and sentences.text_hash = baseline_items.text_hash
    inner join eligible_sections
        on baseline_items.suite = eligible_sections.suite
        and sentences.filing_id = eligible_sections.filing_id
        and sentences.section_id = eligible_sections.section_id

),

kept_sentences as (

    select
        frozen_sentences.suite,
        frozen_sentences.sentence_id,
        drawn_sentences.sentence_id is not null as is_drawn,
    from frozen_sentences
    left join drawn_sentences
        on frozen_sentences.suite = drawn_sentences.suite
        and frozen_sentences.sentence_id = drawn_sentences.sentence_id
    qualify
        row_number() over (
            partition by frozen_sentences.suite
            order by
                not is_drawn,
                {{ stable_hash([seed, 'frozen_sentences.suite', 'frozen_sentences.sentence_id']) }},
                frozen_sentences.sentence_id
        ) <= coalesce(frozen_sentences.anchor_limit, 0)
        or is_drawn

),

anchors as (

    select
        coalesce(drawn_sentences.suite, kept_sentences.suite) as suite,
        coalesce(drawn_sentences.sentence_id, kept_sentences.sentence_id) as sentence_id,
        drawn_sentences.draw_rank,
        drawn_sentences.inclusion_probability,
        kept_sentences.sentence_id is not null as is_frozen,
    from drawn_sentences
    full join kept_sentences
        on drawn_sentences.suite = kept_sentences.suite
        and drawn_sentences.sentence_id = kept_sentences.sentence_id

),

final as (

    select
        anchors.suite,
        anchors.suite || ':' || anchors.sentence_id as query_id,
        anchors.sentence_id,
        sentences.filing_id,
        sections.cik,
        sections.company_name,
        sections.report_year,
        sentences.section_id,
        sentences.sentence_pos,
        sections.section_sentence_count,
        sections.section_length_bucket,
        (
            row_number() over (
                partition by anchors.suite
                order by anchors.draw_rank nulls last, anchors.sentence_id
            )
        )::integer as draw_rank,
        anchors.is_frozen,
        anchors.inclusion_probability,
    from anchors
    inner join sentences
        on anchors.sentence_id = sentences.sentence_id
    inner join sections
        on sentences.filing_id = sections.filing_id
        and sentences.section_id = sections.section_id

)

select * from final
