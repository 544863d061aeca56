-- metrics.metric_values of judged summaries with the metrics side by side, for BI tools. A judge that has not been held
-- against people's judgements is said to be uncalibrated beside every figure of it.
{%- set intervals = ['faithfulness'] %}
{%- set values = [
    'contradicted_claims', 'unclear_claims', 'voided_verdicts', 'claim_numbers_in_source', 'number_conflicts',
    'claims_per_text', 'has_claims', 'summary_cost_usd', 'judge_cost_usd',
] %}
with

metric_values as (

    select * from {{ ref('metric_values') }}

),

runs as (

    select * from {{ ref('judged_runs') }}
    where item_type = 'summary'

),

-- Judges that people have calibrated. The baseline judge is calibrated as baseline_faithfulness, the
-- share of claims that they find True.
calibrated_judges as (

    select if(judge = 'baseline_faithfulness', 'baseline', judge) as judge_model
    from {{ ref('calibrated_judges') }}
    where is_calibrated

),

pivoted as (

    select
        runs.suite,
        runs.system,
        runs.provider,
        runs.is_baseline,
        runs.replicate,
        runs.judge_model,
        runs.judge_is_baseline,
        runs.judge_replicate,
        metric_values.stratum_by,
        metric_values.stratum,
        any_value(metric_values.n_total) filter (where metric_values.metric = 'faithfulness') as n_total,
        any_value(metric_values.n_measured) filter (where metric_values.metric = 'faithfulness') as n_measured,
        any_value(metric_values.n_error) filter (where metric_values.metric = 'faithfulness') as n_error,
        any_value(metric_values.n_clusters) filter (where metric_values.metric = 'faithfulness') as n_sources,
        {%- for metric in intervals %}
        any_value(metric_values.value) filter (where metric_values.metric = '{{ metric }}') as {{ metric }},
        any_value(metric_values.ci_low) filter (where metric_values.metric = '{{ metric }}') as {{ metric }}_ci_low,
        any_value(metric_values.ci_high) filter (where metric_values.metric = '{{ metric }}') as {{ metric }}_ci_high,
        {%- endfor %}
        {%- for metric in values %}
        any_value(metric_values.value) filter (where metric_values.metric = '{{ metric }}') as {{ metric }},
        {%- endfor %}
    from metric_values
    inner join runs
        on metric_values.run_id = runs.run_id
    group by
        runs.suite,
        runs.system,
        runs.provider,
        runs.is_baseline,
        runs.replicate,
        runs.judge_model,
        runs.judge_is_baseline,
        runs.judge_replicate,
        metric_values.stratum_by,
        metric_values.stratum

),

summary_scorecard as (

    select
        pivoted.* exclude (summary_cost_usd, judge_cost_usd),
        if(calibrated_judges.judge_model is null, 'uncalibrated', 'calibrated') as judge_calibration,
        pivoted.summary_cost_usd,
        pivoted.judge_cost_usd,
    from pivoted
    left join calibrated_judges
        on pivoted.judge_model = calibrated_judges.judge_model

)

select * from summary_scorecard
