with

metric_values as (

    select * from {{ ref('int_question_metric_values') }}

),

runs as (

    select * from {{ ref('int_question_runs') }}

),

final as (

    select
        metric_values.*,
        'these filings' as estimand,
        coalesce(runs.is_current, false) as is_current,
        'none' as answer_model,
        false as is_baseline,
    from metric_values
    left join runs
        on metric_values.run_id = runs.run_id

)

select * from final
