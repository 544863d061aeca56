-- The intervals speak of questions about these filings.
with

metric_values as (

    select * from {{ ref('int_loss_metric_values') }}

),

final as (

    select
        *,
        'these filings' as estimand,
    from metric_values

)

select * from final
