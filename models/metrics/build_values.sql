-- The figures that decide, build by build: metrics.bi_headline as each build left it.
with

builds as (

    select * from {{ ref('builds') }}

),

headlines as (

    select * from {{ ref('bi_headline') }}

),

build_values as (

    select
        builds.build_id,
        headlines.run_id,
        headlines.task,
        headlines.suite,
        headlines.dataset,
        headlines.system,
        headlines.model_id,
        headlines.strategy,
        headlines.regime,
        headlines.embedding_model,
        headlines.judge_model,
        headlines.question_model,
        headlines.replicate,
        headlines.metric,
        headlines.k,
        headlines.gold_window,
        headlines.variant,
        headlines.value,
        headlines.ci_low,
        headlines.ci_high,
        headlines.n,
        headlines.n_clusters,
    from builds
    cross join headlines
    where builds.build_id = '{{ invocation_id }}'

)

select * from build_values
