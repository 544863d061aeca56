with

queries as (

    select * from {{ ref('int_p3_queries') }}

),

gold as (

    select * from {{ ref('int_p3_gold') }}

),

-- pages are gold of the suites that name them
suites as (

    select
        queries.suite,
        ['evidence', 'chosen'] || if(bool_or(gold.gold_predicate = 'page'), ['page'], []) as gold_predicates,
    from queries
    left join gold
        on queries.suite = gold.suite
    group by queries.suite

),

variants as (

    select
        suite,
        'none' as gold_window,
        unnest(gold_predicates) as gold_predicate,
    from suites

),

{{ gold_counts() }}

select * from final
