with

p1_gold as (

    select * from {{ ref('p1_gold') }}

),

p2_gold as (

    select * from {{ ref('p2_gold') }}

),

p1_windows as (

    select unnest({{ var('p1_windows') }}) as gold_window

),

p1_rows as (

    select
        'p1' as suite,
        p1_gold.query_id,
        p1_windows.gold_window::varchar as gold_window,
        p1_gold.sentence_id,
        p1_gold.is_content,
    from p1_gold
    inner join p1_windows
        on p1_gold.position_distance <= p1_windows.gold_window

),

final as (

    select
        suite,
        query_id,
        gold_window,
        'positional' as gold_predicate,
        sentence_id,
        1 as grade,
    from p1_rows

    union all

    select
        suite,
        query_id,
        gold_window,
        'content' as gold_predicate,
        sentence_id,
        1 as grade,
    from p1_rows
    where is_content

    union all

    select
        'p2' as suite,
        query_id,
        'adaptive' as gold_window,
        gold_predicate,
        sentence_id,
        1 as grade,
    from p2_gold

)

select * from final
