with

scorecard_rows as (

    select * from {{ ref('int_scorecard_rows') }}

),

p2_scorecard as (

    select
        run_id,
        suite,
        regime,
        strategy,
        embedding_model,
        gold_window,
        gold_predicate,
        population,
        stratum_by,
        stratum,
        is_current,
        n_total,
        n_covered,
        n_measured,
        n_error,
        n_filings,
        coverage,
        self_at_1,
        self_at_1_ci_low,
        self_at_1_ci_high,
        self_at_1_text,
        hit_at_1,
        hit_at_1_ci_low,
        hit_at_1_ci_high,
        hit_at_3,
        hit_at_3_ci_low,
        hit_at_3_ci_high,
        hit_at_5,
        hit_at_5_ci_low,
        hit_at_5_ci_high,
        hit_at_10,
        hit_at_10_ci_low,
        hit_at_10_ci_high,
        hit_at_30,
        hit_at_30_ci_low,
        hit_at_30_ci_high,
        hit_at_5_minimum_detectable_effect,
        recall_at_5,
        recall_at_10,
        recall_at_30,
        recall_at_30_ci_low,
        recall_at_30_ci_high,
        mrr_at_30,
        mrr_at_30_ci_low,
        mrr_at_30_ci_high,
        ndcg_at_10,
        ndcg_at_10_ci_low,
        ndcg_at_10_ci_high,
        gold_distance_p10,
        gold_distance_p50,
        gold_distance_p90,
        non_gold_distance_p10,
        non_gold_distance_p50,
        non_gold_distance_p90,
    from scorecard_rows
    where suite = 'p2'

)

select * from p2_scorecard
