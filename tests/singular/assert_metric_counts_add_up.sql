-- A failed query that is averaged away, or counted as 0, changes every figure without a trace. Every query of a
-- population is measured or an error; distances are measured where there is such a hit. The coverage stated as a metric
-- is the share of the counts beside it, values lie within their intervals, and a stratum has the same counts in every
-- metric of the same questions: those of a source and those of its summary are different ones.
with

metric_values as (

    select * from {{ ref('metric_values_by_run') }}

),

metrics as (

    select * from {{ ref('metrics') }}

),

checked as (

    select
        metric_values.*,
        metrics.kind,
        metrics.items,
        if(metric_values.population = 'covered', metric_values.n_covered, metric_values.n_total) as n_population,
        max(metric_values.n_total) over in_stratum as largest_total,
        max(metric_values.n_covered) over in_stratum as largest_covered,
    from metric_values
    inner join metrics
        on metric_values.metric = metrics.metric
    window
        in_stratum as (
            partition by
                metric_values.run_id,
                metric_values.gold_window,
                metric_values.variant,
                metric_values.stratum_by,
                metric_values.stratum,
                regexp_matches(metric_values.metric, '^(qag_alignment|summary_statement)')
        )

)

select * from checked
where
    n_covered > n_total
    or n_measured + n_error > n_population
    -- a score of answers applies to some types of answers only
    or (kind != 'percentile' and items = 'retrieval_items' and n_measured + n_error != n_population)
    or n_clusters > n_measured
    or (n_measured = 0) != (value is null)
    or (n_measured > 0) != (n_clusters > 0)
    or n_total != largest_total
    or n_covered != largest_covered
    or (metric = 'coverage' and n_error = 0 and abs(value - n_covered / n_total) > 1e-9)
    or value not between ci_low - 1e-9 and ci_high + 1e-9
    or (corpus_value is null) != (corpus_ci_low is null or corpus_ci_high is null)
    or corpus_value not between corpus_ci_low - 1e-9 and corpus_ci_high + 1e-9
    -- the order of hits that score alike lies between the best and the worst there is
    or (value_best is null) != (value_worst is null)
    or value not between value_worst - 1e-9 and value_best + 1e-9
    or value_best <= value_worst
    -- a pooled share has several outcomes per item
    or (kind != 'pooled' and n_eff > n_measured + 1e-9)
    -- every value has an interval, and none is without width; values kept from an earlier version may lack both
    or (
        is_current
        and (
            is_interval_reliable is null
            or (n_measured > 0) != coalesce(ci_low < ci_high, false)
            or (n_clusters = 1 and (is_interval_reliable or ci_method != 'range'))
        )
    )
