with

metric_values as (

    select * from {{ ref('int_anchor_metric_values') }}

),

runs as (

    select * from {{ ref('int_anchor_runs') }}

),

final as (

    select
        metric_values.*,
        'filings like these' as estimand,
        coalesce(runs.is_current, false) as is_current,
        'none' as answer_model,
        false as is_baseline,
    from metric_values
    left join runs
        on metric_values.run_id = runs.run_id

)

select * from final
