with

queries as (

    select * from {{ ref('int_p3_queries') }}

),

gold as (

    select * from {{ ref('int_p3_gold') }}

),

judging_suites as (

    select distinct suite
    from {{ ref('int_named_places') }}
    where is_judged_alone

),

-- Pages are gold of the suites that name them. A suite that names pages or documents and quotes nothing has no other
-- gold: that none of its evidence is found says nothing of it.
suites as (

    select
        queries.suite,
        bool_or(judging_suites.suite is not null) as is_judged_alone,
        coalesce(bool_or(gold.gold_predicate = 'page'), false) as has_pages,
        if(is_judged_alone, ['page'], ['evidence', 'chosen'] || if(has_pages, ['page'], [])) as gold_predicates,
    from queries
    left join gold
        on queries.suite = gold.suite
    left join judging_suites
        on queries.suite = judging_suites.suite
    group by queries.suite

),

variants as (

    select
        suite,
        'none' as gold_window,
        unnest(gold_predicates) as gold_predicate,
    from suites

    union all

    select distinct
        suite,
        gold_window,
        gold_predicate,
    from gold
    where gold_predicate = 'place'

),

{{ gold_counts() }}

select * from final
