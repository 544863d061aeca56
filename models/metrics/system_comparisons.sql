-- Pairs of systems on the same sources or headlines, with what may be concluded from them
-- (metrics.int_adjusted_comparisons).
with

system_pairs as (

    select * from {{ ref('int_system_pairs') }}

),

adjusted as (

    select * from {{ ref('int_adjusted_comparisons') }}
    where compared = 'systems'

),

-- a judge by rules is calibrated under the name of the score that it gives
calibrated_judges as (

    select distinct judge_model
    from {{ ref('int_calibrated_judges') }}
    where is_calibrated

),

system_comparisons as (

    select
        system_pairs.comparison_id,
        system_pairs.task,
        system_pairs.dataset,
        system_pairs.system_a,
        system_pairs.system_b,
        system_pairs.is_baseline_a,
        system_pairs.is_baseline_b,
        system_pairs.judge_model,
        system_pairs.judge_is_baseline,
        system_pairs.judge_replicate,
        case
            when system_pairs.task = 'sentiment' then 'no_judge'
            when calibrated_judges.judge_model is null then 'uncalibrated'
            else 'calibrated'
        end as judge_calibration,
        system_pairs.question_model,
        system_pairs.run_id_a,
        system_pairs.run_id_b,
        adjusted.gold_predicate,
        adjusted.stratum_by,
        adjusted.stratum,
        adjusted.metric,
        adjusted.n_pairs,
        adjusted.n_clusters,
        adjusted.deff,
        adjusted.value_a,
        adjusted.value_b,
        adjusted.difference,
        adjusted.ci_low,
        adjusted.ci_high,
        adjusted.mean_absolute_difference,
        adjusted.n_a_only,
        adjusted.n_b_only,
        adjusted.minimum_detectable_effect,
        adjusted.test,
        adjusted.p_value,
        adjusted.is_primary,
        adjusted.adjustment,
        adjusted.family,
        adjusted.family_size,
        adjusted.p_adjusted,
        adjusted.is_significant,
        adjusted.verdict,
    from system_pairs
    inner join adjusted
        on system_pairs.comparison_id = adjusted.comparison_id
    left join calibrated_judges
        on system_pairs.judge_model = calibrated_judges.judge_model

)

select * from system_comparisons
