-- Sentences that talk about a key performance indicator, with every amount they state and the one that is the KPI's.
-- has_amount_cue: the sentence holds a dollar sign or a scale word, whether or not an amount could be parsed.
with

kpi_matches as (

    select * from {{ ref('int_kpi_matches') }}
    {% if is_incremental() -%}
    where filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

kpi_amounts as (

    select * from {{ ref('int_kpi_amounts') }}
    {% if is_incremental() -%}
    where filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

kpi_statements as (

    select * from {{ ref('int_kpi_statements') }}
    {% if is_incremental() -%}
    where filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

kpi_years as (

    select * from {{ ref('int_kpi_years') }}
    {% if is_incremental() -%}
    where filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

amounts_by_sentence as (

    select
        sentence_id,
        list({
            'raw_text': raw_text,
            'value': value,
            'unit': unit,
            'unit_reason': unit_reason,
            'scale_word': scale_word,
            'rounding': rounding,
            'is_change': is_change
        } order by amount_index) as amounts,
    from kpi_amounts
    group by sentence_id

),

final as (

    select
        kpi_matches.sentence_id,
        kpi_matches.sentence_id as sentenceID,
        kpi_matches.filing_id,
        kpi_matches.cik as cik_int,
        kpi_matches.company_name as name,
        kpi_matches.report_year,
        kpi_matches.section_id as section_name,
        kpi_matches.sentence_pos,
        kpi_matches.kpi_label,
        kpi_matches.matched_phrase,
        regexp_matches(
            kpi_matches.sentence_text, '(?i)\$|\b(?:thousand|million|billion|trillion)s?\b'
        ) as has_amount_cue,
        amounts_by_sentence.amounts[1].raw_text as first_number_raw,
        coalesce(amounts_by_sentence.amounts, []) as amounts,
        len(coalesce(amounts_by_sentence.amounts, [])) as amount_count,
        amounts_by_sentence.amounts[kpi_statements.amount_index + 1] as kpi_amount,
        kpi_statements.amount_index as kpi_amount_index,
        kpi_statements.value as kpi_value,
        kpi_statements.unit as kpi_unit,
        -- of a list by the years beside it, else by the period, else by the day of a balance, else by the comparison above
        if(
            kpi_statements.amount_index is null,
            null,
            coalesce(
                kpi_statements.listed_year, kpi_years.stated_year, kpi_years.balance_year, kpi_years.comparison_year
            )
        ) as value_year,
        kpi_statements.kpi_role,
        kpi_statements.amount_reason as kpi_amount_reason,
        kpi_matches.sentence_text,
    from kpi_matches
    left join amounts_by_sentence
        on kpi_matches.sentence_id = amounts_by_sentence.sentence_id
    left join kpi_statements
        on kpi_matches.sentence_id = kpi_statements.sentence_id
        and kpi_matches.kpi_label = kpi_statements.kpi_label
    left join kpi_years
        on kpi_matches.sentence_id = kpi_years.sentence_id

)

select * from final
