-- Which questions were understood wrongly: company, year, item or scope? Items only where the question names one; what
-- its gold says of them otherwise cannot be read from it. A suite without mistakes is one row.
with

items as (

    select * from {{ ref('extraction_items') }}

),

entities as (

    select * from {{ ref('question_entities') }}

),

mistakes as (

    select
        items.suite,
        items.query_id,
        concat_ws(
            ', ',
            case when not items.are_companies_right then 'companies' end,
            case when not items.are_years_right then 'years' end,
            case when not items.are_items_right and items.is_item_named then 'items' end,
            case when not items.is_scope_right then 'scope' end
        ) as wrong_fields,
        items.question_text,
        items.gold_ciks,
        items.found_ciks,
        items.gold_years,
        items.found_years,
        entities.unresolved,
    from items
    inner join entities
        on items.query_id = entities.query_id

),

counted as (

    select
        suite,
        count(*) as question_count,
        count(*) filter (where wrong_fields != '') as mistaken_count,
    from mistakes
    group by suite

)

select
    counted.suite,
    counted.question_count,
    counted.mistaken_count,
    mistakes.query_id,
    mistakes.wrong_fields,
    mistakes.question_text,
    mistakes.gold_ciks,
    mistakes.found_ciks,
    mistakes.gold_years,
    mistakes.found_years,
    mistakes.unresolved,
from counted
left join mistakes
    on counted.suite = mistakes.suite
    and mistakes.wrong_fields != ''
order by
    counted.suite,
    mistakes.query_id
