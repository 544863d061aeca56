with

metric_values as (

    select * from {{ ref('int_sentiment_metric_values') }}

),

runs as (

    select * from {{ ref('int_sentiment_runs') }}

),

final as (

    select
        metric_values.* exclude (suite, regime),
        runs.dataset,
        'headlines like these' as estimand,
        true as is_current,
        runs.model_id as answer_model,
        runs.is_baseline,
    from metric_values
    inner join runs
        on metric_values.run_id = runs.run_id

)

select * from final
