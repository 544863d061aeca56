-- Every metric of every run, with what it takes to judge it: counts, interval, effective number of items, and the
-- smallest difference that it could show (minimum_detectable_effect: from an independent run on as many items, a
-- two-sided test at 5 % finds a true difference of this size in 80 % of the cases; runs on the same items see smaller
-- differences, metrics.run_comparisons). All of them are computed by finrag.metrics.estimates.
--
-- The estimand is what the interval speaks of: more companies of the kind for the anchors and the summaries, whose
-- clusters are companies and filings; more questions about the filings at hand; more headlines.
--
-- Each task has its own values, which its scorecards, comparisons and alerts read. Here they stand together, for people;
-- what was run stands in metrics.runs, and beside each value in metrics.metric_values_by_run.
with

all_values as (

    {% for task in ['anchor', 'question', 'answer', 'faithfulness', 'quiz', 'sentiment'] -%}
        select * from {{ ref(task ~ '_metric_values') }}
        union all by name
    {% endfor -%}
    -- these stand in no scorecard
    {% for values in ['int_chunking_metric_values', 'int_loss_metric_values'] -%}
        select
            *,
            'these filings' as estimand,
        from {{ ref(values) }}
        {%- if not loop.last %}
            union all by name
        {% endif %}
    {%- endfor %}

),

metric_values as (

    select
        run_id,
        gold_window,
        variant,
        population,
        stratum_by,
        stratum,
        metric,
        k,
        value,
        value_best,
        value_worst,
        ci_low,
        ci_high,
        ci_method,
        is_interval_reliable,
        estimand,
        corpus_value,
        corpus_ci_low,
        corpus_ci_high,
        n_total,
        n_covered,
        n_measured,
        n_error,
        n_clusters,
        n_eff,
        deff,
        minimum_detectable_effect,
    from all_values

)

select * from metric_values
