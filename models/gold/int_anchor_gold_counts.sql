with

queries as (

    select * from {{ ref('int_anchor_queries') }}

),

gold as (

    select * from {{ ref('int_anchor_gold') }}

),

windows as (

    select
        'p1' as suite,
        unnest({{ var('p1_windows') }})::varchar as gold_window,

    union all

    select
        'p2' as suite,
        'adaptive' as gold_window,

),

variants as (

    select
        *,
        unnest(['positional', 'content']) as gold_predicate,
    from windows

),

{{ gold_counts() }}

select * from final
