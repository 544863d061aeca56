-- How a filing's items write dollars, as far as their own sentences show it. Counted are dollar amounts in running text,
-- which a lower-case word follows:
--   words   "$2.6 million was"       the scale stands with the amount
--   full    "$1,250,000 of"          seven digits or more: exact dollars
--   bare    "$35,836 in"             neither, and no round thousand: exact, or in the scale of the captions
-- and, anywhere, the scales that captions name.
{%- set foreign_dollars -%}
    (?i)\b(?:amounts|figures|references to (?:dollars|["“]?[$]["”]?))(?:[\s"“”$(),]+\w+){0,8}?\s(?:in|to|of) (canadian|australian|singapore|hong kong|new zealand) dollars\b
{%- endset %}
{%- set money -%} [$]\s?[(]?\s?\d[\d,.]* {%- endset %}
with

sentences as (

    select * from {{ ref('fct_sentences') }}
    where
        contains(sentence_text, '$')
        and sentence_kind is distinct from 'written_row'
    {% if is_incremental() -%}
        and filing_id in ({{ unprocessed_filings() }})
        {%- endif %}

),

captions as (

    select * from {{ ref('int_scale_captions') }}
    {% if is_incremental() -%}
    where filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

-- Whose dollars they are, where the filing says it of all of them: "all amounts are in Canadian dollars".
foreign_dollars as (

    select
        filing_id,
        min(lower(regexp_extract(sentence_text, '{{ foreign_dollars }}', 1))) as dollar_country,
    from {{ ref('fct_sentences') }}
    where
        contains(lower(sentence_text), ' dollars')
        and regexp_matches(sentence_text, '(?i)\b(?:all|unless otherwise)\b')
        and regexp_matches(sentence_text, '{{ foreign_dollars }}')
        -- a part's own
        and not regexp_matches(
            sentence_text, '(?i)\b(?:tables?|below|following|this (?:section|note)|segments?|subsidiar(?:y|ies))\b'
        )
    {% if is_incremental() -%}
        and filing_id in ({{ unprocessed_filings() }})
        {%- endif %}
    group by filing_id

),

running_amounts as (

    select
        filing_id,
        section_id,
        regexp_extract_all(sentence_text, '{{ money }},?\s[a-z]+') as amounts,
        len(regexp_extract_all(sentence_text, '[$]\s?[(]?\d{1,3}(?:,\d{3}){2,}')) as full_anywhere,
    from sentences

),

amount_counts as (

    select
        filing_id,
        section_id,
        len(list_filter(
            amounts, lambda amount: regexp_matches(amount, '\s(?:thousand|million|billion|trillion)s?$')
        )) as words,
        len(list_filter(
            amounts,
            lambda amount: regexp_matches(amount, '\d{1,3}(?:,\d{3}){2,}')
            and not regexp_matches(amount, '\s(?:thousand|million|billion|trillion)s?$')
        )) as full_dollars,
        len(list_filter(
            amounts,
            lambda amount: regexp_matches(amount, '^[$]\s?[(]?\d{1,3},\d{3}[\s,.]')
            and not regexp_matches(amount, ',000\D')
            and not regexp_matches(amount, '\s(?:thousand|million|billion|trillion|principal|per)s?$')
        )) as bare,
        full_anywhere,
    from running_amounts

),

section_counts as (

    select
        filing_id,
        section_id,
        sum(words) as words,
        sum(full_dollars) as full_dollars,
        sum(bare) as bare,
        sum(full_anywhere) as full_anywhere,
    from amount_counts
    group by filing_id, section_id

),

section_captions as (

    select
        filing_id,
        section_id,
        count(*) as captions,
        count(*) filter (where caption_scale = 'thousand') as thousands,
        count(*) filter (where caption_scale = 'million') as millions,
        count(*) filter (where caption_scale = 'billion') as billions,
    from captions
    group by filing_id, section_id

),

counts as (

    select
        section_counts.filing_id,
        section_counts.section_id,
        section_counts.words,
        section_counts.full_dollars,
        section_counts.bare,
        section_counts.full_anywhere,
        coalesce(section_captions.captions, 0) as captions,
        coalesce(section_captions.thousands, 0) as thousands,
        coalesce(section_captions.millions, 0) as millions,
        coalesce(section_captions.billions, 0) as billions,
    from section_counts
    left join section_captions
        on section_counts.filing_id = section_captions.filing_id
        and section_counts.section_id = section_captions.section_id

),

filing_captions as (

    select
        filing_id,
        sum(captions) as filing_captions,
        sum(thousands) as filing_thousands,
        sum(millions) as filing_millions,
        sum(billions) as filing_billions,
    from section_captions
    group by filing_id

),

-- An item with too few amounts to tell follows the filing.
with_filing as (

    select
        counts.*,
        filing_captions.filing_captions,
        filing_captions.filing_thousands,
        filing_captions.filing_millions,
        filing_captions.filing_billions,
        sum(counts.full_dollars) over filing as filing_full_dollars,
        sum(counts.full_anywhere) over filing as filing_full_anywhere,
        sum(counts.bare) over filing as filing_bare,
        sum(counts.words) over filing as filing_words,
        if(counts.words + counts.bare + counts.full_dollars >= 3, counts.words, filing_words) as told_words,
        if(counts.words + counts.bare + counts.full_dollars >= 3, counts.bare, filing_bare) as told_bare,
    from counts
    left join filing_captions
        on counts.filing_id = filing_captions.filing_id
    window filing as (partition by counts.filing_id)

),

-- A scale is an item's if four fifths of its captions name it, a filing's likewise.
captioned_scales as (

    select
        *,
        case
            when captions = 0 then null
            when thousands >= 0.8 * captions then 'thousand'
            when millions >= 0.8 * captions then 'million'
            when billions >= 0.8 * captions then 'billion'
        end as section_scale,
        case
            when filing_captions is null then null
            when filing_thousands >= 0.8 * filing_captions then 'thousand'
            when filing_millions >= 0.8 * filing_captions then 'million'
            when filing_billions >= 0.8 * filing_captions then 'billion'
        end as filing_scale,
        -- more figures of seven digits than captions, in running text too
        (full_dollars >= 3 and full_anywhere > 2 * captions) or (captions = 0 and full_anywhere >= 3) as has_exact_rows,
        told_bare > told_words and filing_full_dollars <= 0.1 * filing_bare as has_scaled_text,
    from with_filing

),

dollar_conventions as (

    select
        captioned_scales.filing_id,
        captioned_scales.section_id,
        case
            when has_exact_rows then 'exact'
            when section_scale is not null then section_scale
            when captions > 0 then null
            when filing_scale is not null then filing_scale
            when filing_captions is null and filing_full_anywhere >= 1 then 'exact'
        end as row_scale,
        case
            when has_scaled_text and has_exact_rows then 'exact'
            when has_scaled_text then coalesce(section_scale, if(captions = 0, filing_scale, null))
            when filing_words > 0 or filing_full_dollars > 0 then 'exact'
        end as text_scale,
        case foreign_dollars.dollar_country
            when 'canadian' then 'CAD'
            when 'australian' then 'AUD'
            when 'singapore' then 'SGD'
            when 'hong kong' then 'HKD'
            when 'new zealand' then 'NZD'
        end as dollar_code,
    from captioned_scales
    left join foreign_dollars
        on captioned_scales.filing_id = foreign_dollars.filing_id

)

select * from dollar_conventions
