with

metric_values as (

    select * from {{ ref('int_answer_metric_values') }}

),

runs as (

    select * from {{ ref('answer_runs') }}

),


answer_models as (

    select distinct
        run_id,
        answer_model,
        is_baseline,
    from {{ ref('answer_items') }}

),

final as (

    select
        metric_values.*,
        'these filings' as estimand,
        runs.run_id is not null as is_current,
        answer_models.answer_model,
        answer_models.is_baseline,
    from metric_values
    inner join answer_models
        on metric_values.run_id = answer_models.run_id
    left join runs
        on metric_values.run_id = runs.run_id

)

select * from final
