with

queries as (

    select * from {{ ref('int_p3_queries') }}

),

gold as (

    select * from {{ ref('int_p3_gold') }}

),

suites as (

    select distinct suite
    from queries

),

variants as (

    select
        suite,
        'none' as gold_window,
        unnest(['evidence', 'chosen']) as gold_predicate,
    from suites

),

{{ gold_counts() }}

select * from final
