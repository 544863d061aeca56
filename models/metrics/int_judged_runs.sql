-- Runs of judged summaries and answers: what was judged, against what, and by whom.
with

faithfulness_items as (

    select * from {{ ref('faithfulness_items') }}

),

answer_runs as (

    select * from {{ ref('answer_runs') }}

),

of_faithfulness as (

    select
        run_id,
        any_value(suite) as suite,
        any_value(dataset) as dataset,
        any_value(item_type) as item_type,
        any_value(basis) as basis,
        any_value(system) as system,
        any_value(provider) as provider,
        any_value(is_baseline) as is_baseline,
        any_value(replicate) as replicate,
        any_value(strategy) as strategy,
        any_value(embedding_model) as embedding_model,
        any_value(answer_run_id) as answer_run_id,
        any_value(judge_model) as judge_model,
        any_value(judge_is_baseline) as judge_is_baseline,
        any_value(judge_replicate) as judge_replicate,
        count(*) as n_items,
        count(*) filter (where is_error) as n_error,
        sum(cost_usd) as cost_usd,
        sum(judge_cost_usd) as judge_cost_usd,
    from faithfulness_items
    group by run_id

),

judged_runs as (

    select
        of_faithfulness.*,
        -- summaries are searched nowhere
        if(of_faithfulness.answer_run_id is null, 'none', coalesce(answer_runs.regime, 'open')) as regime,
    from of_faithfulness
    left join answer_runs
        on of_faithfulness.answer_run_id = answer_runs.run_id

)

select * from judged_runs
