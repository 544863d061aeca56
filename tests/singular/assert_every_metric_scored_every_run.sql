-- A metric that is silently missing for one run makes the others look complete: every run of the last build has items
-- for every query, window and predicate, and a value, overall and in every population, for every metric of the registry
-- that applies to it, at every cut-off.
with

runs as (

    select * from {{ ref('retrieval_runs') }}
    where is_current

),

metrics as (

    select * from {{ ref('metrics') }}
    where items = 'retrieval_items'

),

gold_counts as (

    select * from {{ ref('int_query_gold_counts') }}

),

items as (

    select * from {{ ref('retrieval_items') }}

),

metric_values as (

    select * from {{ ref('metric_values') }}

),

cutoffs as (

    select unnest({{ var('metric_ks') }}) as k,

),

variants as (

    select
        suite,
        gold_window,
        gold_predicate,
        count(*) as query_count,
    from gold_counts
    group by
        suite,
        gold_window,
        gold_predicate

),

expected as (

    select
        runs.run_id,
        variants.gold_window,
        variants.gold_predicate,
        metrics.metric,
        coalesce(cutoffs.k, 0) as k,
        unnest(string_split(metrics.populations, ' ')) as population,
    from runs
    inner join variants
        on runs.suite = variants.suite
    inner join metrics
        on
        metrics.applies_to = 'every_run'
        or (metrics.applies_to = 'anchor_runs' and not runs.is_external and runs.suite in ('p1', 'p2'))
        or (metrics.applies_to = 'dense_runs' and runs.method = 'dense')
    left join cutoffs
        on metrics.is_per_k

),

missing_values as (

    select
        expected.run_id,
        concat_ws(' ', expected.metric, expected.k, expected.population) as missing,
        expected.gold_window,
        expected.gold_predicate,
    from expected
    anti join metric_values
        on expected.run_id = metric_values.run_id
        and expected.gold_window = metric_values.gold_window
        and expected.gold_predicate = metric_values.variant
        and expected.metric = metric_values.metric
        and expected.k = metric_values.k
        and expected.population = metric_values.population
        and metric_values.stratum_by = 'overall'

),

item_counts as (

    select
        run_id,
        gold_window,
        gold_predicate,
        count(*) as item_count,
    from items
    group by
        run_id,
        gold_window,
        gold_predicate

),

missing_items as (

    select
        runs.run_id,
        'items: ' || coalesce(item_counts.item_count, 0) || ' of ' || variants.query_count as missing,
        variants.gold_window,
        variants.gold_predicate,
    from runs
    inner join variants
        on runs.suite = variants.suite
    left join item_counts
        on runs.run_id = item_counts.run_id
        and variants.gold_window = item_counts.gold_window
        and variants.gold_predicate = item_counts.gold_predicate
    where item_counts.item_count is distinct from variants.query_count

)

select * from missing_values
union all
select * from missing_items
