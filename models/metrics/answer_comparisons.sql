-- Pairs of runs on the same questions. Families and Holm's correction are those of metrics.run_comparisons.
with

run_pairs as (

    select * from {{ ref('int_answer_run_pairs') }}

),

comparisons as (

    select * from {{ ref('int_answer_comparisons') }}

),

families as (

    select
        run_pairs.comparison_id,
        run_pairs.comparison_kind,
        run_pairs.suite,
        run_pairs.label_a,
        run_pairs.label_b,
        comparisons.*,
        concat_ws(
            ' ', run_pairs.comparison_kind, run_pairs.suite, comparisons.stratum_by, comparisons.metric
        ) as family,
    from run_pairs
    inner join comparisons
        on run_pairs.run_id_a = comparisons.run_id_a
        and run_pairs.run_id_b = comparisons.run_id_b

),

{{ holm_adjusted('families') }},

answer_comparisons as (

    select
        comparison_id,
        comparison_kind,
        suite,
        run_id_a,
        run_id_b,
        label_a,
        label_b,
        stratum_by,
        stratum,
        metric,
        n_pairs,
        n_clusters,
        value_a,
        value_b,
        difference,
        ci_low,
        ci_high,
        test,
        n_a_only,
        n_b_only,
        p_value,
        p_holm,
        family,
        family_size,
        minimum_detectable_effect,
        p_holm < 0.05 as is_significant,
    from holm

)

select * from answer_comparisons
