-- Pairs of runs on the same queries, with what may be concluded from them (metrics.int_adjusted_comparisons).
with

run_pairs as (

    select * from {{ ref('int_run_pairs') }}

),

adjusted as (

    select * from {{ ref('int_adjusted_comparisons') }}
    where compared = 'runs'

),

run_comparisons as (

    select
        run_pairs.comparison_id,
        run_pairs.comparison_kind,
        run_pairs.suite,
        adjusted.run_id_a,
        adjusted.run_id_b,
        run_pairs.label_a,
        run_pairs.label_b,
        adjusted.gold_window,
        adjusted.gold_predicate,
        adjusted.stratum_by,
        adjusted.stratum,
        adjusted.metric,
        adjusted.k,
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
    from run_pairs
    inner join adjusted
        on run_pairs.comparison_id = adjusted.comparison_id

)

select * from run_comparisons
