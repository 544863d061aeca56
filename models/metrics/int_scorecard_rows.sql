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
            {{ side_by_side(metric, k, metric ~ '_at_' ~ k ~ '_corpus', prefix='corpus_') }},
        {%- endfor %}
        {%- for metric, k in [('hit', 5), ('mrr', 30), ('ndcg', 10)] %}
            any_value(value_best) filter (where metric = '{{ metric }}' and k = {{ k }}) as {{ metric }}_at_{{ k }}_best,
            any_value(value_worst) filter (where metric = '{{ metric }}' and k = {{ k }}) as {{ metric }}_at_{{ k }}_worst,
        {%- endfor %}
        {{ side_by_side('coverage', name='coverage_corpus', prefix='corpus_') }},
        any_value(n_covered) / nullif(any_value(n_total), 0) as coverage,
        -- the same share beside covered queries as beside all, and measured over all
        {%- for end in ['ci_low', 'ci_high'] %}
            max(any_value({{ end }}) filter (where metric = 'coverage')) over of_queries as coverage_{{ end }},
        {%- endfor %}
        {%- for metric in ['self_at_1', 'self_at_1_text'] %}
            {{ side_by_side(metric, counted=true) }},
        {%- endfor %}
        {%- for k in [1, 3, 5, 10, 30] %}
            {{ side_by_side('hit', k, 'hit_at_' ~ k) }},
        {%- endfor %}
        any_value(n_eff) filter (where metric = 'hit' and k = 5) as hit_at_5_n_eff,
        any_value(deff) filter (where metric = 'hit' and k = 5) as hit_at_5_deff,
        coalesce(any_value(is_interval_reliable) filter (where metric = 'hit' and k = 5), false)
            as is_hit_at_5_interval_reliable,
        any_value(minimum_detectable_effect) filter (where metric = 'hit' and k = 5)
            as hit_at_5_minimum_detectable_effect,
        {%- for metric, k in [('recall', 5), ('recall', 10), ('recall', 30), ('mrr', 30), ('ndcg', 10)] %}
            {{ side_by_side(metric, k, metric ~ '_at_' ~ k) }},
        {%- endfor %}
        {%- for kind in ['gold', 'non_gold'] %}
            {%- for percentile in [10, 50, 90] %}
                {{ side_by_side(kind ~ '_distance_p' ~ percentile) }},
            {%- endfor %}
            any_value(n_measured) filter (where metric = '{{ kind }}_distance_p50') as {{ kind }}_distance_n,
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
    window of_queries as (partition by run_id, gold_window, variant, stratum_by, stratum)

)

select * from scorecard_rows
