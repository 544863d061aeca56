-- Every query under every variant of its suite, also where it has no gold: coverage is counted from these rows.
with

queries as (

    select * from {{ ref('retrieval_queries') }}

),

gold as (

    select * from {{ ref('retrieval_gold') }}

),

suite_windows as (

    select
        'p1' as suite,
        unnest({{ var('p1_windows') }})::varchar as gold_window,

    union all

    select
        'p2' as suite,
        'adaptive' as gold_window,

),

question_suites as (

    select distinct suite
    from {{ ref('int_p3_queries') }}

),

variants as (

    select
        *,
        unnest(['positional', 'content']) as gold_predicate,
    from suite_windows

    union all

    select
        suite,
        'none' as gold_window,
        unnest(['evidence', 'chosen']) as gold_predicate,
    from question_suites

),

gold_counts as (

    select
        suite,
        query_id,
        gold_window,
        gold_predicate,
        count(*) as n_gold,
        count(*) filter (where grade = 2) as n_chosen,
    from gold
    group by suite, query_id, gold_window, gold_predicate

),

final as (

    select
        queries.suite,
        queries.query_id,
        variants.gold_window,
        variants.gold_predicate,
        coalesce(gold_counts.n_gold, 0) as n_gold,
        coalesce(gold_counts.n_chosen, 0) as n_chosen,
        coalesce(gold_counts.n_gold, 0) > 0 as is_covered,
    from queries
    inner join variants
        on queries.suite = variants.suite
    left join gold_counts
        on queries.suite = gold_counts.suite
        and queries.query_id = gold_counts.query_id
        and variants.gold_window = gold_counts.gold_window
        and variants.gold_predicate = gold_counts.gold_predicate

)

select * from final
