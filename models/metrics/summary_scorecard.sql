-- The metric values of summaries with the metrics side by side, for BI tools: claims that were judged, and questions
-- that were put to the summaries. A judge that has not been held against people's judgements of real summaries is said to
-- be uncalibrated beside every figure of it.
{%- set keys = [
    'dataset', 'system', 'provider', 'is_baseline', 'replicate', 'judge_model', 'judge_is_baseline', 'judge_replicate',
    'stratum_by', 'stratum',
] %}
{%- set claim_metrics = [
    'contradicted_claims', 'unclear_claims', 'voided_verdicts', 'claim_numbers_in_source', 'number_conflicts',
    'claims_per_text', 'has_claims', 'summary_cost_usd', 'judge_cost_usd',
] %}
{%- set quiz_metrics = [
    'qag_inclusion', 'qag_alignment', 'statement_f1_macro', 'choice_accuracy', 'qag_inclusion_idk', 'qag_alignment_idk',
    'statement_uncertainty', 'choice_accuracy_without_text',
] %}
with

claim_values as (

    select * from {{ ref('faithfulness_metric_values') }}

),

quiz_values as (

    select * from {{ ref('quiz_metric_values') }}

),

int_judged_runs as (

    select * from {{ ref('int_judged_runs') }}
    where item_type = 'summary'

),

int_quiz_runs as (

    select * from {{ ref('int_quiz_runs') }}

),

calibrated_judges as (

    select * from {{ ref('int_calibrated_judges') }}

),

faithfulness as (

    select
        runs.run_id,
        {%- for key in keys[:8] %}
            runs.{{ key }},
        {%- endfor %}
        claim_values.stratum_by,
        claim_values.stratum,
        any_value(claim_values.n_total) filter (where claim_values.metric = 'faithfulness') as n_total,
        any_value(claim_values.n_measured) filter (where claim_values.metric = 'faithfulness') as n_measured,
        any_value(claim_values.n_error) filter (where claim_values.metric = 'faithfulness') as n_error,
        any_value(claim_values.n_clusters) filter (where claim_values.metric = 'faithfulness') as n_sources,
        any_value(claim_values.estimand) as estimand,
        {{ side_by_side('faithfulness', relation='claim_values') }},
        any_value(claim_values.is_interval_reliable) filter (where claim_values.metric = 'faithfulness')
            as is_faithfulness_interval_reliable,
        {%- for metric in claim_metrics %}
            {{ side_by_side(metric, counted=true, relation='claim_values') }},
        {%- endfor %}
    from claim_values
    inner join int_judged_runs as runs
        on claim_values.run_id = runs.run_id
    group by all

),

quizzes as (

    select
        {%- for key in keys[:8] %}
            runs.{{ key }},
        {%- endfor %}
        quiz_values.stratum_by,
        quiz_values.stratum,
        runs.question_model,
        any_value(quiz_values.estimand) as estimand,
        {%- for metric in quiz_metrics %}
            {{ side_by_side(metric, counted=true, relation='quiz_values') }},
        {%- endfor %}
        any_value(quiz_values.n_error) filter (where quiz_values.metric = 'qag_inclusion') as qag_inclusion_n_error,
    from quiz_values
    inner join int_quiz_runs as runs
        on quiz_values.run_id = runs.run_id
    group by all

),

summary_scorecard as (

    select
        {{ keys | join(', ') }},
        if(calibrated_judges.judge_model is null, 'uncalibrated', 'calibrated') as judge_calibration,
        coalesce(faithfulness.estimand, quizzes.estimand) as estimand,
        faithfulness.* exclude ({{ keys | join(', ') }}, estimand),
        quizzes.* exclude ({{ keys | join(', ') }}, estimand),
    from faithfulness
    -- `using`, against ST07: after a full join a key is on either side, and `using` takes the one that is there
    full join quizzes
        using ({{ keys | join(', ') }}) -- noqa: ST07
    left join calibrated_judges
        using (judge_model) -- noqa: ST07

)

select * from summary_scorecard
