-- A system's whole summary of a source: its themes in their order, one after the other, without the general summary, which
-- would say them twice. Where a theme failed the
-- whole is an error: questions about what it left out would count against what the system wrote.
{%- set theme_order = [
    'all', 'overview_of_financial_results', 'liquidity_and_capital_resources', 'results_of_operations',
    'critical_accounting_estimates', 'trends_and_outlook', 'business_risks_and_uncertainties', 'planned_actions',
    'future_goals',
] %}
with

summaries as (

    select * from {{ ref('summaries') }}
    where theme != 'general'

),

whole as (

    select
        dataset,
        source_id,
        system,
        replicate,
        any_value(provider) as provider,
        bool_or(is_baseline) as is_baseline,
        bool_or(is_error) as is_error,
        string_agg(trim(summary_text), chr(10) order by list_position({{ theme_order }}, theme)) as summary_text,
    from summaries
    group by
        dataset,
        source_id,
        system,
        replicate

),

final as (

    select
        *,
        md5(concat_ws('|', 'summary', source_id, coalesce(summary_text, ''))) as text_id,
    from whole

)

select * from final
