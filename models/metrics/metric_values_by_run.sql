-- Values beside what was run, for people and BI tools.
with

metric_values as (

    select * from {{ ref('metric_values') }}

),

runs as (

    select * from {{ ref('runs') }}

),

metric_values_by_run as (

    select
        runs.run_id,
        runs.task,
        runs.suite,
        runs.dataset,
        runs.system,
        runs.model_id,
        runs.strategy,
        runs.regime,
        runs.embedding_model,
        runs.judge_model,
        runs.judge_calibration,
        runs.question_model,
        runs.replicate,
        runs.is_baseline,
        runs.is_current,
        runs.first_built_at,
        metric_values.gold_window,
        metric_values.variant,
        metric_values.population,
        metric_values.stratum_by,
        metric_values.stratum,
        metric_values.metric,
        metric_values.k,
        metric_values.value,
        metric_values.value_best,
        metric_values.value_worst,
        metric_values.ci_low,
        metric_values.ci_high,
        metric_values.ci_method,
        metric_values.is_interval_reliable,
        metric_values.estimand,
        metric_values.corpus_value,
        metric_values.corpus_ci_low,
        metric_values.corpus_ci_high,
        metric_values.n_total,
        metric_values.n_covered,
        metric_values.n_measured,
        metric_values.n_error,
        metric_values.n_clusters,
        metric_values.n_eff,
        metric_values.deff,
        metric_values.minimum_detectable_effect,
    from metric_values
    inner join runs
        on metric_values.run_id = runs.run_id

)

select * from metric_values_by_run
