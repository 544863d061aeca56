{#-
    Which of the amounts that go with a KPI's phrases is the one that its sentence states: of the levels the nearest, else a
    change; of a list the one of this year; with the sign that the KPI's name gives it, and what it is: a debt or one more
    loan, reached or expected.
-#}
{#- Before "$5 million of notes": what was raised, paid back or taken over, none of which is the debt. -#}
{%- set debt_flows = [
    'proceeds', '(?:re|pre)?pa(?:y|ys|id|ying|yments?)', 'paydowns?', '(?:re)?issu(?:e|ed|es|ing|ances?)', 'borrow(?:ed|ing)',
    'borrowings (?:of|on|under|from)', 'redeem(?:ed|ing)?', 'redemptions?', 'retir(?:ed?|ing|ement)', 'extinguish\\w*',
    '(?:re)?purchas(?:e|ed|es|ing)', 'sold', 'sale', 'drew', 'drawn down', 'acquir(?:ed|ing)', 'assum(?:ed|ing|ption)',
    'incurred', 'exchanged?', 'converted', 'placed',
] | join('|') -%}
{%- set losses = loss_words('loss') -%}
{%- set gains = loss_words('gain') -%}
with

phrases as (

    select * from {{ ref('int_kpi_phrases') }}
    {% if is_incremental() -%}
    where filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

amount_lists as (

    select * from {{ ref('int_amount_lists') }}
    {% if is_incremental() -%}
    where filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

kpi_amount_links as (

    select * from {{ ref('int_kpi_amount_links') }}
    {% if is_incremental() -%}
    where filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

filing_year_orders as (

    select * from {{ ref('int_filing_year_orders') }}
    {% if is_incremental() -%}
    where filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

-- The level reached before the change, this year's before what follows a comparison, the nearest before others.
ranked_amounts as (

    select
        *,
        row_number() over (
            partition by sentence_id, kpi_label
            order by
                is_stated_change,
                is_after_comparison,
                -- as near as "$11.80 per share" is "($11.19 diluted)" behind it, and the former is meant
                greatest(gap_words + if(is_after, 0, 1), if(kpi_label = 'eps', 1, 0)),
                amount_index,
                phrase_pos
        ) as choice,
    from kpi_amount_links
    where
        is_linked
        and not is_reason_or_part
        and not (is_comparative and not is_stated_change)
        -- "Net income fell to (unread), compared with net income of $4.35 billion"
        and not (is_after_comparison and not is_first_phrase)

),

-- Several loans with an amount each, and none is the debt: "repaid $3 million of notes and $2 million of the term loan".
phrase_amounts as (

    select
        *,
        arg_min(list_number, gap_words * 1000 + amount_index) filter (where not is_stated_change and not is_after_comparison)
            over (partition by sentence_id, kpi_label, phrase_pos) as nearest_list,
        arg_min(list_number, gap_words * 1000 + amount_index) filter (where is_stated_change and not is_after_comparison)
            over (partition by sentence_id, kpi_label, phrase_pos) as nearest_change,
    from ranked_amounts

),

counted_amounts as (

    select
        *,
        count(distinct nearest_list) over (partition by sentence_id, kpi_label) as level_count,
        count(distinct nearest_change) over (partition by sentence_id, kpi_label) as change_count,
    from phrase_amounts

),

-- With its sentence, its list, and the first run of years as long as that: "for 2021, 2022 and 2023".
chosen_amounts as (

    select
        counted_amounts.*,
        phrases.report_year,
        phrases.sentence_text,
        phrases.phrase_end,
        amount_lists.start_pos,
        amount_lists.list_position,
        amount_lists.list_length,
        amount_lists.year_columns,
        amount_lists.is_enumeration,
        amount_lists.is_of_parts,
        amount_lists.list_values,
        list_filter(
            list_transform(
                regexp_extract_all(phrases.sentence_text, '{{ year_run() }}'), lambda run: {{ years_of_run('run') }}
            ),
            lambda named_years: len(named_years) = amount_lists.list_length
        )[1] as years,
    from counted_amounts
    inner join phrases
        on counted_amounts.sentence_id = phrases.sentence_id
        and counted_amounts.kpi_label = phrases.kpi_label
        and counted_amounts.phrase_pos = phrases.phrase_pos
    inner join amount_lists
        on counted_amounts.sentence_id = amount_lists.sentence_id
        and counted_amounts.amount_index = amount_lists.amount_index
    where
        counted_amounts.choice = 1
        and not (
            counted_amounts.kpi_label = 'debt'
            and greatest(counted_amounts.level_count, counted_amounts.change_count) > 1
        )

),

-- Which column is this year's: by the years in the sentence, else by the filing's order; an enumeration may be of parts.
dated_amounts as (

    select
        chosen_amounts.*,
        case
            when chosen_amounts.list_length = 1 then 1
            when chosen_amounts.years is not null
                then coalesce(
                        list_position(chosen_amounts.years, chosen_amounts.report_year),
                        list_position(chosen_amounts.years, list_max(chosen_amounts.years))
                    )
            when chosen_amounts.is_enumeration or chosen_amounts.is_of_parts then null
            -- one amount twice is a row of the statement of equity, or a debt that stays
            when
                len(chosen_amounts.list_values) = 2
                and chosen_amounts.list_values[1] = chosen_amounts.list_values[2]
                and chosen_amounts.kpi_label != 'debt'
                then null
            -- a row of four is of quarters
            when chosen_amounts.year_columns = 4 then null
            when filing_year_orders.year_order = 'newest first' then chosen_amounts.list_position
            when filing_year_orders.year_order = 'oldest first' and chosen_amounts.year_columns <= 3
                then chosen_amounts.year_columns
        end as this_year_position,
    from chosen_amounts
    left join filing_year_orders
        on chosen_amounts.filing_id = filing_year_orders.filing_id

),

-- A loss or an outflow by name: "net loss of", "cash used in operations"; "per diluted share" goes by the net loss before
-- it. "Net income (loss)" and "income or loss" are either, and a change has no sign.
named_amounts as (

    select
        *,
        substr(sentence_text, phrase_pos, phrase_end - phrase_pos) as phrase,
        substr(sentence_text, greatest(1, phrase_pos - 60), least(60, phrase_pos - 1)) as text_before_phrase,
        substr(sentence_text, 1, least(phrase_pos, start_pos) - 1) as text_before_both,
        kpi_label in ('net_income', 'operating_income', 'gross_margin', 'eps', 'cash_from_ops')
        and not is_stated_change
        and case
            when regexp_matches(phrase, '(?i)[()]|\b(?:{{ gains }})\b') then false
            when regexp_matches(phrase, '(?i)\b(?:{{ losses }})\b')
                then not regexp_matches(text_before_phrase, '(?i)(?:\b(?:{{ gains }})\W{1,2}(?:and|or)\W(?:net\W)?|[(])$')
                    and not regexp_matches(substr(sentence_text, phrase_end, 20), '(?i)^\s[(](?:net\s)?(?:{{ gains }})\b')
            when kpi_label = 'eps'
                then regexp_matches(
                        regexp_extract(text_before_both, '(?is)^.*\bnet\s({{ losses }}|{{ gains }})\b', 1),
                        '(?i)^(?:{{ losses }})$'
                    )
            else false
        end as is_loss,
    from dated_amounts

),

-- By the clause up to both, without the outlook on what was repaid: "Following the repurchase, $5 million remain".
roled_amounts as (

    select
        *,
        regexp_replace(
            substr(sentence_text, 1, greatest(phrase_pos, start_pos)),
            '(?is)^.*(?:[.;•]\s|, (?:and|while|but) (?:we|the|our)\b|\bfollowing th(?:e|is|ese) \w+,)',
            ''
        ) as clause,
        case
            when is_stated_change then 'change'
            when
                regexp_matches(clause, '(?i)\b(?:{{ expectations() }})\b')
                and not regexp_matches(clause, '(?i)\bestimates? that\b.*\bw(?:as|ere)\b')
                then 'expected'
            when
                kpi_label = 'debt'
                and regexp_matches(clause, '(?i)\b(?:{{ debt_flows }})\b')
                and not regexp_matches(
                    substr(sentence_text, greatest(phrase_pos, start_pos)),
                    '(?i)^[^.;]{0,60}\bremain(?:s|ed|ing)? outstanding'
                )
                then 'flow'
            else 'level'
        end as amount_role,
    from named_amounts

),

kpi_statements as (

    select
        roled_amounts.sentence_id,
        roled_amounts.kpi_label,
        roled_amounts.filing_id,
        this_years_amounts.amount_index,
        if(this_years_amounts.amount_index is null, null, roled_amounts.amount_role) as kpi_role,
        case
            -- where a list has signs, they count
            when roled_amounts.is_loss and not this_years_amounts.has_signs then -this_years_amounts.value
            -- an outlay is as much as was paid, in brackets or not; those of "Interest (income) expense" are income
            when
                roled_amounts.kpi_label in ('capex', 'interest_expense', 'debt')
                and not roled_amounts.is_stated_change
                and not regexp_matches(roled_amounts.sentence_text, '(?i)[(]income[)]')
                then abs(this_years_amounts.value)
            else this_years_amounts.value
        end as value,
        this_years_amounts.unit,
        if(
            this_years_amounts.amount_index is null, null, roled_amounts.years[roled_amounts.this_year_position]
        ) as listed_year,
        case
            when roled_amounts.this_year_position is null then 'year unknown'
            when this_years_amounts.amount_index is null then 'no amount'
        end as amount_reason,
    from roled_amounts
    left join amount_lists as this_years_amounts
        on roled_amounts.sentence_id = this_years_amounts.sentence_id
        and roled_amounts.list_number = this_years_amounts.list_number
        and roled_amounts.this_year_position = this_years_amounts.list_position
    where
        -- a negative one is a change, an elimination or a contract's effect
        not coalesce(
            roled_amounts.kpi_label = 'revenue' and not roled_amounts.is_stated_change and this_years_amounts.value < 0,
            false
        )

)

select * from kpi_statements
