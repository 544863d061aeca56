-- The intervals speak of answers about these filings, or, of summaries, of more sources of the kind.
with

metric_values as (

    select * from {{ ref('int_faithfulness_metric_values') }}

),

runs as (

    select * from {{ ref('int_judged_runs') }}

),

final as (

    select
        metric_values.* exclude (suite),
        runs.suite,
        runs.dataset,
        if(metric_values.variant = 'faithful_to_source', 'filings like these', 'these filings') as estimand,
        true as is_current,
        runs.system as answer_model,
        runs.is_baseline,
    from metric_values
    inner join runs
        on metric_values.run_id = runs.run_id

)

select * from final
