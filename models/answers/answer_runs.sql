-- retrieval_run_id is the run whose hits the contexts were assembled from; null for external systems.
with

answers as (

    select * from {{ ref('answers') }}

),

retrieval_runs as (

    select * from {{ ref('int_question_runs') }}

),

grouped as (

    select
        run_id,
        any_value(suite) as suite,
        any_value(strategy) as strategy,
        any_value(embedding_model) as embedding_model,
        any_value(model_id) as answer_model,
        any_value(provider) as provider,
        any_value(is_baseline) as is_baseline,
        if(any_value(source) = 'warehouse', any_value(replicate), null) as replicate,
        any_value(prompt_version) as prompt_version,
        any_value(source) as source,
        any_value(retrieval_run_id) as retrieval_run_id,
        count(distinct query_id) as n_questions,
        count(*) as n_answers,
        count(*) filter (where is_error) as n_error,
    from answers
    group by run_id

),

answer_runs as (

    select
        grouped.run_id,
        grouped.suite,
        coalesce(retrieval_runs.regime, 'open') as regime,
        grouped.* exclude (run_id, suite),
    from grouped
    left join retrieval_runs
        on grouped.retrieval_run_id = retrieval_runs.run_id

)

select * from answer_runs
