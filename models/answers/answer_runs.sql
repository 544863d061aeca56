-- retrieval_run_id is the run whose hits the contexts were assembled from.
with

answers as (

    select * from {{ ref('answers') }}

),

retrieval_runs as (

    select * from {{ ref('retrieval_runs') }}
    where is_current and regime = 'open'

),

runs as (

    select
        run_id,
        suite,
        strategy,
        model_id as answer_model,
        any_value(provider) as provider,
        any_value(is_baseline) as is_baseline,
        if(any_value(source) = 'warehouse', any_value(replicate), null) as replicate,
        any_value(prompt_version) as prompt_version,
        any_value(source) as source,
        count(distinct query_id) as n_questions,
        count(*) as n_answers,
        count(*) filter (where is_error) as n_error,
    from answers
    group by
        run_id,
        suite,
        strategy,
        model_id

),

answer_runs as (

    select
        runs.run_id,
        runs.suite,
        'open' as regime,
        runs.strategy,
        coalesce(retrieval_runs.embedding_model, 'none') as embedding_model,
        runs.answer_model,
        runs.provider,
        runs.is_baseline,
        runs.replicate,
        runs.prompt_version,
        runs.source,
        retrieval_runs.run_id as retrieval_run_id,
        runs.n_questions,
        runs.n_answers,
        runs.n_error,
    from runs
    left join retrieval_runs
        on runs.suite = retrieval_runs.suite
        and runs.strategy = retrieval_runs.strategy
        and runs.source = 'warehouse'
    qualify row_number() over (partition by runs.run_id order by retrieval_runs.embedding_model, retrieval_runs.run_id) = 1

)

select * from answer_runs
