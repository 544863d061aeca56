{#-
    Amounts of one unit are one list where only a comma, an "and" or spaces stand between them: "$5.1 billion, $4.9 billion
    and $4.5 billion", or the figures of a table's row. A row may hold more between its amounts: shares of the amount before,
    columns without one, and marks of notes.
-#}
{%- set share_cell -%} [(]?[\d.,]+\s?[)]?\s?%[)]? {%- endset -%}
{%- set empty_cell -%} [-–—]|\d{1,3}|[(]\d{2,3}[)] {%- endset -%}
{%- set other_cell -%} (?:{{ share_cell }}|[$]?\s?(?:{{ empty_cell }})|[(]\d[)]) {%- endset -%}
with

kpi_amounts as (

    select * from {{ ref('int_kpi_amounts') }}
    {% if is_incremental() -%}
    where filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

-- Once for all labels and phrases of a sentence.
sentence_texts as (

    select
        sentence_id,
        any_value(sentence_text) as sentence_text,
    from {{ ref('int_kpi_phrases') }}
    {% if is_incremental() -%}
    where filing_id in ({{ unprocessed_filings() }})
    {%- endif %}
    group by sentence_id

),

-- What stands between an amount and the one of its unit before: nothing but separators, or the cells of a row.
amounts_with_separators as (

    select
        kpi_amounts.*,
        kpi_amounts.start_pos + length(kpi_amounts.raw_text) as end_pos,
        substr(
            sentence_texts.sentence_text,
            lag(kpi_amounts.start_pos + length(kpi_amounts.raw_text)) over amounts_of_unit,
            kpi_amounts.start_pos - lag(kpi_amounts.start_pos + length(kpi_amounts.raw_text)) over amounts_of_unit
        ) as separator,
        coalesce(
            regexp_matches(
                separator,
                '^\)?(?:,?\s(?:and\s)?(?:approximately\s|about\s)?|\s+(?:{{ other_cell }}\s+)*)$'
            )
            and kpi_amounts.unit is not null
            and kpi_amounts.is_change = lag(kpi_amounts.is_change) over amounts_of_unit,
            false
        ) as continues_list,
        coalesce(regexp_matches(separator, ',\s|\band\b'), false) as is_enumerated,
        if(
            regexp_matches(kpi_amounts.raw_text, '[a-z]'),
            '',
            regexp_extract(
                substr(sentence_texts.sentence_text, end_pos, 60), '^\)?((?:\s+{{ other_cell }})+)(?:\s|$)', 1
            )
        ) as cells_after,
    from kpi_amounts
    inner join sentence_texts
        on kpi_amounts.sentence_id = sentence_texts.sentence_id
    window amounts_of_unit as (
        partition by kpi_amounts.sentence_id, kpi_amounts.unit
        order by kpi_amounts.amount_index
    )

),

-- Columns without an amount: a dash, or an integer too bare to be one.
counted_cells as (

    select
        *,
        {%- for cells in ['separator', 'cells_after'] %}
            len(list_filter(
                string_split_regex(regexp_replace({{ cells }}, '{{ share_cell }}', ' ', 'g'), '\s+'),
                lambda cell: regexp_full_match(cell, '[$]?(?:{{ empty_cell }})')
            )) as {{ cells }}_count,
        {%- endfor %}
    from amounts_with_separators

),

-- A list is named by its first amount.
numbered_lists as (

    select
        *,
        max(amount_index) filter (where not continues_list) over (
            partition by sentence_id, unit
            order by amount_index
        ) as list_number,
    from counted_cells

),

-- An integer behind each amount is its share, not a column: "37,895 100 34,857 100".
columned_lists as (

    select
        *,
        coalesce(bool_and(if(continues_list, separator_count, 1) = 1) over whole_list, false)
        and last_value(cells_after_count) over whole_list = 1
        and count(*) over whole_list > 1 as has_shares,
        if(continues_list and not has_shares, separator_count, 0) as columns_before,
        if(has_shares, 0, last_value(cells_after_count) over whole_list) as columns_after,
        sum(rounding) over whole_list as list_rounding,
    from numbered_lists
    window whole_list as (
        partition by sentence_id, list_number
        order by amount_index
        rows between unbounded preceding and unbounded following
    )

),

placed_amounts as (

    select
        *,
        (row_number() over list_so_far + sum(columns_before) over list_so_far)::integer as list_position,
    from columned_lists
    window list_so_far as (
        partition by sentence_id, list_number
        order by amount_index
    )

),

amount_lists as (

    select
        sentence_id,
        filing_id,
        amount_index,
        start_pos,
        end_pos,
        value,
        unit,
        scale_word,
        is_change,
        range_role,
        is_instrument_rate,
        list_number,
        list_position,
        (max(list_position) over whole_list + columns_after)::integer as list_length,
        bool_or(is_enumerated and continues_list) over whole_list as is_enumeration,
        bool_or(value < 0) over whole_list as has_signs,
        list(value) over whole_list as list_values,
        -- "1,250 1,175 75" is two years and a change, "1,250 1,175 1,100 75 75" three and two
        case
            when sum(columns_before) over whole_list > 0 then list_length
            when
                len(list_values) = 3
                and abs(abs(list_values[1] - list_values[2]) - abs(list_values[3])) <= list_rounding
                and list_values[3] != 0
                then 2
            when
                len(list_values) = 5
                and abs(abs(list_values[1] - list_values[2]) - abs(list_values[4])) <= list_rounding
                and abs(abs(list_values[2] - list_values[3]) - abs(list_values[5])) <= list_rounding
                then 3
            else list_length
        end as year_columns,
        -- "1,250 75 1,325" is parts and their sum
        len(list_values) >= 3
        and abs(list_sum(list_values) - 2 * list_values[-1]) <= list_rounding
        and not list_contains(list_values, 0) as is_of_parts,
    from placed_amounts
    window whole_list as (
        partition by sentence_id, list_number
        order by amount_index
        rows between unbounded preceding and unbounded following
    )

)

select * from amount_lists
