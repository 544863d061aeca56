-- Pairs of systems on the same sources or headlines. Families and Holm's correction are those of metrics.run_comparisons:
-- all pairs of systems, and all groups of one grouping, under one metric.
with

system_pairs as (

    select * from {{ ref('int_system_pairs') }}

),

comparisons as (

    select * from {{ ref('int_system_comparisons') }}

),

-- a judge by rules is calibrated under the name of the score that it gives
calibrated_judges as (

    select distinct judge_model
    from {{ ref('calibrated_judges') }}
    where is_calibrated

),

families as (

    select
        system_pairs.*,
        comparisons.* exclude (run_id_a, run_id_b),
        concat_ws(
            ' ',
            system_pairs.task,
            system_pairs.suite,
            system_pairs.judge_model,
            system_pairs.judge_replicate,
            system_pairs.question_model,
            comparisons.gold_predicate,
            comparisons.stratum_by,
            comparisons.metric
        ) as family,
    from system_pairs
    inner join comparisons
        on system_pairs.run_id_a = comparisons.run_id_a
        and system_pairs.run_id_b = comparisons.run_id_b

),

{{ holm_adjusted('families') }},

system_comparisons as (

    select
        holm.comparison_id,
        holm.task,
        holm.suite,
        holm.system_a,
        holm.system_b,
        holm.is_baseline_a,
        holm.is_baseline_b,
        holm.judge_model,
        holm.judge_is_baseline,
        holm.judge_replicate,
        case
            when holm.task = 'sentiment' then 'no_judge'
            when calibrated_judges.judge_model is null then 'uncalibrated'
            else 'calibrated'
        end as judge_calibration,
        holm.question_model,
        holm.run_id_a,
        holm.run_id_b,
        holm.gold_predicate,
        holm.stratum_by,
        holm.stratum,
        holm.metric,
        holm.n_pairs,
        holm.n_clusters,
        holm.value_a,
        holm.value_b,
        holm.difference,
        holm.ci_low,
        holm.ci_high,
        holm.test,
        holm.n_a_only,
        holm.n_b_only,
        holm.p_value,
        holm.p_holm,
        holm.family,
        holm.family_size,
        holm.minimum_detectable_effect,
        holm.p_holm < 0.05 as is_significant,
    from holm
    left join calibrated_judges
        on holm.judge_model = calibrated_judges.judge_model

)

select * from system_comparisons
