-- The figures that decide, and nothing beside them: of every run of the last build the metric, cut-off and gold that
-- seeds.primary_endpoints names for its task, over all queries that have gold (summaries and headlines: over all). No
-- other slice is in here, so that an average over rows is one over runs.
with

metric_values as (

    select * from {{ ref('metric_values_by_run') }}
    where
        is_current
        and stratum_by = 'overall'
        and population = if(task = 'retrieval', 'covered', 'all')

),

endpoints as (

    select distinct
        case compared
            when 'runs' then 'retrieval'
            when 'answers' then 'answer'
            else comparison_kind
        end as task,
        suite,
        gold_window,
        gold_predicate as variant,
        metric,
        k,
    from {{ ref('int_suite_endpoints') }}

),

primary_values as (

    select metric_values.*
    from metric_values
    inner join endpoints
        on metric_values.task = endpoints.task
        and endpoints.suite is not distinct from nullif(metric_values.suite, 'none')
        and metric_values.gold_window = endpoints.gold_window
        and metric_values.variant = endpoints.variant
        and metric_values.metric = endpoints.metric
        and metric_values.k = endpoints.k

),

bi_headline as (

    select
        run_id,
        task,
        suite,
        dataset,
        system,
        model_id,
        strategy,
        regime,
        embedding_model,
        judge_model,
        judge_calibration,
        question_model,
        replicate,
        is_baseline,
        metric,
        k,
        variant,
        gold_window,
        value,
        ci_low,
        ci_high,
        corpus_value,
        corpus_ci_low,
        corpus_ci_high,
        any_value(value) filter (where strategy = 'random') over (
            partition by task, suite, regime, gold_window, variant, metric, k
        ) as random_value,
        any_value(corpus_value) filter (where strategy = 'random') over (
            partition by task, suite, regime, gold_window, variant, metric, k
        ) as random_corpus_value,
        n_measured as n,
        n_error,
        n_clusters,
        is_interval_reliable,
        estimand,
        first_built_at,
    from primary_values

)

select * from bi_headline
