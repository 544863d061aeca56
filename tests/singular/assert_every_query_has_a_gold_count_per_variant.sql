-- Coverage divides by all queries. A query that is missing under one variant, because it has no gold there, would make
-- the share of covered queries look better than it is.
with

queries as (

    select * from {{ ref('retrieval_queries') }}

),

gold_counts as (

    select * from {{ ref('int_query_gold_counts') }}

),

variants as (

    select distinct
        suite,
        gold_window,
        gold_predicate,
    from gold_counts

)

select
    queries.suite,
    queries.query_id,
    variants.gold_window,
    variants.gold_predicate,
from queries
left join variants
    on queries.suite = variants.suite
anti join gold_counts
    on queries.suite = gold_counts.suite
    and queries.query_id = gold_counts.query_id
    and variants.gold_window = gold_counts.gold_window
    and variants.gold_predicate = gold_counts.gold_predicate
