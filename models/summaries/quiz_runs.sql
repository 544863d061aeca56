-- A run is one kind of question, written by one model about the sources (and summaries) of all data sets, and answered by
-- one model for one system's summaries. is_baseline: the summariser, the writer or the answerer is no language model; the
-- figures are no model's then.
with

items as (

    select * from {{ ref('int_quiz_items') }}

),

runs as (

    select
        run_id,
        any_value(kind) as kind,
        'summaries' as suite,
        'summary' as regime,
        any_value(system) as strategy,
        'none' as embedding_model,
        any_value(summary_provider) as summary_provider,
        any_value(summary_replicate) as summary_replicate,
        any_value(question_model) as question_model,
        any_value(judge_model) as judge_model,
        any_value(replicate) as replicate,
        bool_or(is_summary_baseline) as is_summary_baseline,
        bool_or(is_question_baseline) as is_question_baseline,
        bool_or(is_judge_baseline) as is_judge_baseline,
        bool_or(is_baseline) as is_baseline,
        count(distinct (dataset, source_id)) as n_summaries,
        count(*) as n_items,
        count(*) filter (where is_error) as n_error,
    from items
    group by run_id

)

select * from runs
