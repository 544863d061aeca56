-- The primary endpoints of each suite of the build. Rows of p3 stand for all suites of questions, whatever users call
-- theirs. What a search is judged by is the first gold that the suite has: one that names pages or documents and quotes
-- nothing has no evidence, and is decided by the places themselves.
with

endpoints as (

    select * from {{ ref('primary_endpoints') }}

),

golds as (

    select distinct
        suite,
        gold_window,
        gold_predicate,
    from {{ ref('int_query_gold_counts') }}

),

suites as (

    select distinct suite
    from golds

),

of_suites as (

    select endpoints.* replace (suites.suite as suite)
    from endpoints
    inner join suites
        on endpoints.suite = suites.suite
        or (endpoints.suite = 'p3' and suites.suite not in ('p1', 'p2'))
    left join golds
        on suites.suite = golds.suite
        and endpoints.gold_window = golds.gold_window
        and endpoints.gold_predicate = golds.gold_predicate
    where endpoints.compared != 'runs' or golds.suite is not null
    qualify
        rank() over (
            partition by endpoints.compared, endpoints.comparison_kind, suites.suite
            order by endpoints.precedence
        ) = 1

),

final as (

    select * from of_suites

    union all

    -- summaries and headlines have no suite
    select * from endpoints
    where suite is null

)

select * from final
