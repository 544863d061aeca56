-- metrics.anchor_metric_values with the metrics side by side, for BI tools: the columns of p1_scorecard and p2_scorecard.
with

metric_values as (

    select * from {{ ref('anchor_metric_values') }}

),

scorecard_rows as (

    select
        run_id,
        suite,
        regime,
        strategy,
        embedding_model,
        gold_window,
        variant as gold_predicate,
        population,
        stratum_by,
        stratum,
        is_current,
        any_value(n_total) as n_total,
        any_value(n_covered) as n_covered,
        any_value(n_measured) filter (where metric = 'hit') as n_measured,
        any_value(n_error) as n_error,
        any_value(n_clusters) filter (where metric = 'hit' and k = 5) as n_clusters,
        any_value(estimand) as estimand,
        {%- for metric, k in [('hit', 5), ('recall', 30), ('mrr', 30), ('ndcg', 10)] %}
            any_value(corpus_value) filter (where metric = '{{ metric }}' and k = {{ k }}) as {{ metric }}_at_{{ k }}_corpus,
            any_value(corpus_ci_low) filter (where metric = '{{ metric }}' and k = {{ k }})
                as {{ metric }}_at_{{ k }}_corpus_ci_low,
            any_value(corpus_ci_high) filter (where metric = '{{ metric }}' and k = {{ k }})
                as {{ metric }}_at_{{ k }}_corpus_ci_high,
        {%- endfor %}
        {%- for metric, k in [('hit', 5), ('mrr', 30), ('ndcg', 10)] %}
            any_value(value_best) filter (where metric = '{{ metric }}' and k = {{ k }}) as {{ metric }}_at_{{ k }}_best,
            any_value(value_worst) filter (where metric = '{{ metric }}' and k = {{ k }}) as {{ metric }}_at_{{ k }}_worst,
        {%- endfor %}
        any_value(corpus_value) filter (where metric = 'coverage') as coverage_corpus,
        any_value(corpus_ci_low) filter (where metric = 'coverage') as coverage_corpus_ci_low,
        any_value(corpus_ci_high) filter (where metric = 'coverage') as coverage_corpus_ci_high,
        any_value(n_covered) / nullif(any_value(n_total), 0) as coverage,
        any_value(value) filter (where metric = 'self_at_1') as self_at_1,
        any_value(ci_low) filter (where metric = 'self_at_1') as self_at_1_ci_low,
        any_value(ci_high) filter (where metric = 'self_at_1') as self_at_1_ci_high,
        any_value(value) filter (where metric = 'self_at_1_text') as self_at_1_text,
        {%- for k in [1, 3, 5, 10, 30] %}
            any_value(value) filter (where metric = 'hit' and k = {{ k }}) as hit_at_{{ k }},
            any_value(ci_low) filter (where metric = 'hit' and k = {{ k }}) as hit_at_{{ k }}_ci_low,
            any_value(ci_high) filter (where metric = 'hit' and k = {{ k }}) as hit_at_{{ k }}_ci_high,
        {%- endfor %}
        any_value(n_eff) filter (where metric = 'hit' and k = 5) as hit_at_5_n_eff,
        any_value(deff) filter (where metric = 'hit' and k = 5) as hit_at_5_deff,
        coalesce(any_value(is_interval_reliable) filter (where metric = 'hit' and k = 5), false)
            as is_hit_at_5_interval_reliable,
        any_value(minimum_detectable_effect) filter (where metric = 'hit' and k = 5)
            as hit_at_5_minimum_detectable_effect,
        {%- for k in [5, 10, 30] %}
            any_value(value) filter (where metric = 'recall' and k = {{ k }}) as recall_at_{{ k }},
        {%- endfor %}
        any_value(ci_low) filter (where metric = 'recall' and k = 30) as recall_at_30_ci_low,
        any_value(ci_high) filter (where metric = 'recall' and k = 30) as recall_at_30_ci_high,
        any_value(value) filter (where metric = 'mrr' and k = 30) as mrr_at_30,
        any_value(ci_low) filter (where metric = 'mrr' and k = 30) as mrr_at_30_ci_low,
        any_value(ci_high) filter (where metric = 'mrr' and k = 30) as mrr_at_30_ci_high,
        any_value(value) filter (where metric = 'ndcg' and k = 10) as ndcg_at_10,
        any_value(ci_low) filter (where metric = 'ndcg' and k = 10) as ndcg_at_10_ci_low,
        any_value(ci_high) filter (where metric = 'ndcg' and k = 10) as ndcg_at_10_ci_high,
        {%- for kind in ['gold', 'non_gold'] %}
            {%- for percentile in [10, 50, 90] %}
                any_value(value) filter (where metric = '{{ kind }}_distance_p{{ percentile }}')
                    as {{ kind }}_distance_p{{ percentile }},
            {%- endfor %}
        {%- endfor %}
    from metric_values
    group by
        run_id,
        suite,
        regime,
        strategy,
        embedding_model,
        gold_window,
        variant,
        population,
        stratum_by,
        stratum,
        is_current

)

select * from scorecard_rows
