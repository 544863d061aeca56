with

queries as (

    select * from {{ ref('int_p3_queries') }}

),

gold as (

    select * from {{ ref('int_p3_gold') }}

),

external_questions as (

    select * from {{ ref('int_external_questions') }}

),

judging_suites as (

    select distinct suite
    from external_questions
    where contains(pages, '"grade"')

),

-- Pages are gold of the suites that name them. A suite that judges pages or documents and quotes nothing has no other
-- gold: that none of its evidence is found says nothing of it.
suites as (

    select
        queries.suite,
        coalesce(bool_or(gold.gold_predicate = 'page'), false) as has_pages,
        has_pages
        and bool_or(judging_suites.suite is not null)
        and not bool_or(gold.gold_predicate = 'evidence') as is_judged_alone,
        if(is_judged_alone, [], ['evidence', 'chosen']) || if(has_pages, ['page'], []) as gold_predicates,
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
