-- Pairs of chunkings on the same questions, with what may be concluded from them (metrics.int_adjusted_comparisons).
with

run_pairs as (

    select * from {{ ref('int_chunking_run_pairs') }}

),

adjusted as (

    select * from {{ ref('int_adjusted_comparisons') }}
    where compared = 'chunkings'

),

chunking_comparisons as (

    select
        run_pairs.comparison_id,
        run_pairs.suite,
        run_pairs.run_id_a,
        run_pairs.run_id_b,
        run_pairs.chunking_a,
        run_pairs.chunking_b,
        run_pairs.embedding_model,
        adjusted.gold_window,
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

select * from chunking_comparisons
