with

metric_values as (

    select * from {{ ref('int_quiz_metric_values') }}

),

runs as (

    select * from {{ ref('int_quiz_runs') }}

),


answer_models as (

    select
        run_id,
        system as answer_model,
        is_baseline,
    from {{ ref('qag_items') }}

    union

    select
        run_id,
        system as answer_model,
        is_baseline,
    from {{ ref('statement_items') }}

    union

    select
        run_id,
        system as answer_model,
        is_baseline,
    from {{ ref('choice_items') }}

),

final as (

    select
        metric_values.* rename (suite as dataset),
        'filings like these' as estimand,
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
