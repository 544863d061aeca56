-- Pairs of systems on the same sources or headlines, with what may be concluded from them
-- (metrics.int_adjusted_comparisons).
with

calibrated_judges as (

    select * from {{ ref('int_calibrated_judges') }}

),

pairs as (

    select
        system_pairs.*,
        case
            when system_pairs.task = 'sentiment' then 'no_judge'
            when calibrated_judges.judge_model is null then 'uncalibrated'
            else 'calibrated'
        end as judge_calibration,
    from {{ ref('int_system_pairs') }} as system_pairs
    left join calibrated_judges
        on system_pairs.judge_model = calibrated_judges.judge_model

),

{{ comparisons(
    'systems',
    [
        'task', 'dataset', 'system_a', 'system_b', 'is_baseline_a', 'is_baseline_b', 'judge_model', 'judge_is_baseline',
        'judge_replicate', 'judge_calibration', 'question_model', 'run_id_a', 'run_id_b',
    ],
    ['gold_predicate', 'n_a_only', 'n_b_only'],
) }}

select * from comparisons
