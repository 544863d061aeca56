-- A run is one kind of question, written by one model about the sources and summaries of a data set, and answered by
-- one model for one system's summaries. Where the writer or the answerer is rules, the figures are no model's,
-- whoever summarised.
with

items as (

    select * from {{ ref('int_quiz_items') }}

),

runs as (

    select
        run_id,
        any_value(kind) as kind,
        any_value(dataset) as dataset,
        'open' as regime,
        'none' as strategy,
        'none' as embedding_model,
        any_value(system) as system,
        any_value(provider) as provider,
        any_value(is_baseline) as is_baseline,
        any_value(replicate) as replicate,
        any_value(question_model) as question_model,
        any_value(judge_model) as judge_model,
        any_value(judge_is_baseline) as judge_is_baseline,
        any_value(judge_replicate) as judge_replicate,
        count(*) as n_items,
        count(*) filter (where is_error) as n_error,
    from items
    group by run_id

)

select * from runs
