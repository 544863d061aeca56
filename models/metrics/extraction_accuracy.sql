-- Exact-set accuracy per field, with its 95 % Wilson interval. The rows items_named and items_likely split items by
-- whether the question names one.
{%- set z = 1.959963984540054 %} {#- 97.5th percentile of the normal distribution #}
with

items as (

    select * from {{ ref('extraction_items') }}

),

answers as (

    select
        suite,
        unnest([
            { 'field': 'companies', 'is_right': are_companies_right },
            { 'field': 'years', 'is_right': are_years_right },
            { 'field': 'scope', 'is_right': is_scope_right },
            { 'field': 'items', 'is_right': are_items_right },
            { 'field': if(is_item_named, 'items_named', 'items_likely'), 'is_right': are_items_right }
        ], recursive := true),
    from items

),

counted as (

    select
        suite,
        field,
        count(*) as n_questions,
        count(*) filter (where is_right) as n_right,
        n_right / n_questions as accuracy,
    from answers
    group by suite, field

),

final as (

    select
        suite,
        field,
        n_questions,
        n_right,
        accuracy,
        greatest(0, (
            accuracy + {{ z**2 }} / (2 * n_questions)
            - {{ z }} * sqrt(accuracy * (1 - accuracy) / n_questions + {{ z**2 }} / (4 * n_questions * n_questions))
        ) / (1 + {{ z**2 }} / n_questions))::double as ci_low,
        least(1, (
            accuracy + {{ z**2 }} / (2 * n_questions)
            + {{ z }} * sqrt(accuracy * (1 - accuracy) / n_questions + {{ z**2 }} / (4 * n_questions * n_questions))
        ) / (1 + {{ z**2 }} / n_questions))::double as ci_high,
    from counted

)

select * from final
