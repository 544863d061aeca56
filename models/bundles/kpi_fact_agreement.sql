-- Share of checkable sentences with at least one amount that agrees with XBRL, with its Wilson 95 % interval: over all
-- checkable amounts, and over those stated as levels. A sentence that agrees for one of its labels agrees in `all`.
{%- set z = 1.959963984540054 %} {#- 97.5th percentile of the normal distribution #}
with

kpi_fact_matches as (

    select * from {{ ref('kpi_fact_matches') }}

),

kpi_fact_metrics as (

    select * from {{ ref('kpi_fact_metrics') }}

),

-- Every label that facts exist for in principle, so that a label without checkable sentences shows up with 0.
kpi_labels as (

    select distinct unnest([kpi_label, 'all']) as kpi_label,
    from kpi_fact_metrics

),

amounts as (

    select
        sentence_id,
        cik,
        is_match,
        unnest([kpi_label, 'all']) as kpi_label,
        match_basis in ('level', 'prior_year_level') as is_level,
    from kpi_fact_matches

),

sentences as (

    select
        kpi_label,
        sentence_id,
        cik,
        bool_or(is_match) as is_agreeing,
        bool_or(is_level) as has_level,
        bool_or(is_match and is_level) as is_level_agreeing,
    from amounts
    group by kpi_label, sentence_id, cik

),

counts as (

    select
        kpi_labels.kpi_label,
        count(distinct sentences.cik) as companies,
        count(sentences.sentence_id) as checkable_sentences,
        count(*) filter (where sentences.is_agreeing) as agreeing_sentences,
        count(*) filter (where sentences.has_level) as level_checkable_sentences,
        count(*) filter (where sentences.is_level_agreeing) as level_agreeing_sentences,
    from kpi_labels
    left join sentences
        on kpi_labels.kpi_label = sentences.kpi_label
    group by kpi_labels.kpi_label

),

-- Null, not 0, where there is nothing to divide by: no checkable sentence is no disagreement.
shares as (

    select
        *,
        agreeing_sentences / nullif(checkable_sentences, 0) as agreement_share,
        level_agreeing_sentences / nullif(level_checkable_sentences, 0) as level_agreement_share,
    from counts

),

-- Wilson (1927): centre and half width of the interval for a share p of n.
interval_parts as (

    select
        *,
        {{ z ** 2 }} / checkable_sentences as spread,
        {{ z ** 2 }} / level_checkable_sentences as level_spread,
    from shares

),

intervals as (

    select
        *,
        (agreement_share + spread / 2) / (1 + spread) as centre,
        sqrt(spread * (agreement_share * (1 - agreement_share) + spread / 4)) / (1 + spread) as half_width,
        (level_agreement_share + level_spread / 2) / (1 + level_spread) as level_centre,
        sqrt(level_spread * (level_agreement_share * (1 - level_agreement_share) + level_spread / 4))
        / (1 + level_spread) as level_half_width,
    from interval_parts

),

bounded_shares as (

    select
        *,
        centre - half_width as ci_low,
        centre + half_width as ci_high,
        level_centre - level_half_width as level_ci_low,
        level_centre + level_half_width as level_ci_high,
    from intervals

),

kpi_fact_agreement as (

    select
        kpi_label,
        companies,
        checkable_sentences,
        agreeing_sentences,
        agreement_share,
        ci_low,
        ci_high,
        level_checkable_sentences,
        level_agreeing_sentences,
        level_agreement_share,
        level_ci_low,
        level_ci_high,
    from bounded_shares

)

select * from kpi_fact_agreement
