-- The rules of seeds.alert_rules that are about answers, for every current run that they apply to, in the columns of
-- metrics.alerts. A threshold was set for the model that it was measured with (score_model): a BERTScore of another encoder
-- has another range, so such a run is not measured, and neither is the extractive baseline, which is no language model.
{%- set tolerance = 1e-9 %}
{%- set certain = 1e12 %}
with

rules as (

    select
        alert_rules.*,
        registry.kind in ('proportion', 'mean', 'pooled') and alert_rules.threshold = 1 as is_of_all,
    from {{ ref('alert_rules') }} as alert_rules
    inner join {{ ref('metrics') }} as registry
        on alert_rules.metric = registry.metric
    where registry.items = 'answer_items'

),

runs as (

    select * from {{ ref('answer_runs') }}

),

score_models as (

    select
        run_id,
        any_value(bertscore_model) as bertscore_model,
        any_value(bleurt_model) as bleurt_model,
    from {{ ref('answer_items') }}
    group by run_id

),

-- The widest population: a question whose evidence is missing is one that the system cannot answer either.
metric_values as (

    select * from {{ ref('answer_metric_values') }}
    where population = 'all'

),

rule_runs as (

    select
        rules.*,
        coalesce(runs.run_id, '') as run_id,
        runs.embedding_model,
        runs.answer_model,
        coalesce(runs.is_baseline, false) as is_baseline,
        case
            when rules.metric like 'bertscore%' then score_models.bertscore_model
            when rules.metric like 'bleurt%' then score_models.bleurt_model
        end as used_model,
    from rules
    left join runs
        on rules.suite = runs.suite
        and rules.strategy = runs.strategy
    left join score_models
        on runs.run_id = score_models.run_id

),

measured as (

    select
        rule_runs.*,
        coalesce(rule_runs.used_model != rule_runs.score_model, rule_runs.score_model is not null) as is_other_model,
        metric_values.value,
        coalesce(metric_values.n_measured, 0) as n,
        metric_values.n_clusters,
        metric_values.ci_low,
        metric_values.ci_high,
        metric_values.is_interval_reliable,
        nullif(metric_values.ci_high - metric_values.ci_low, 0) / 2 / 1.959963984540054 as standard_error,
        -- a threshold has no standard error of its own, an independent run has another
        metric_values.minimum_detectable_effect / sqrt(2) as minimum_detectable_effect,
    from rule_runs
    left join metric_values
        on rule_runs.run_id = metric_values.run_id
        and rule_runs.stratum_by = metric_values.stratum_by
        and rule_runs.stratum = metric_values.stratum
        and rule_runs.metric = metric_values.metric
        and rule_runs.k = metric_values.k

),

judged as (

    select
        *,
        if(run_id = '' or is_baseline or is_other_model or value is null, 'not_measured', 'compared') as state,
        (threshold - value) / standard_error as errors_below,
    from measured

),

-- The evidence against a value of at least the threshold: bets of three sizes on how many standard errors it is below.
-- exp(l z - l^2 / 2) has the mean 1 where z is standard normal (finrag.statistics.e_values on bets and e-values). Shares
-- are 1 on average only where each is 1, so that one below refutes a threshold of 1 for certain.
answer_alerts as (

    select
        md5(rule_id || '|' || run_id)[:16] as alert_id,
        rule_id,
        severity,
        schedule,
        state,
        nullif(run_id, '') as run_id,
        suite,
        coalesce(regime, 'open') as regime,
        strategy,
        embedding_model,
        stratum_by,
        stratum,
        metric,
        k,
        gold_window,
        gold_predicate,
        comparison,
        value,
        null::varchar as baseline_id,
        null::double as baseline_value,
        null::double as difference,
        threshold,
        coalesce(state = 'compared' and value < threshold - {{ tolerance }}, false) as is_exceeded,
        coalesce(ci_high < threshold, false) as is_interval_clear,
        if(state = 'compared', ci_low, null) as ci_low,
        if(state = 'compared', ci_high, null) as ci_high,
        if(state = 'compared', is_interval_reliable, null) as is_interval_reliable,
        n,
        if(state = 'compared', n_clusters, null) as n_clusters,
        null::bigint as n_baseline_anchors_missing,
        if(state = 'compared', judged.minimum_detectable_effect, null) as minimum_detectable_effect,
        if(
            state = 'compared', n * power(judged.minimum_detectable_effect / nullif(1 - threshold, 0), 2), null
        ) as n_to_see,
        -- as in metrics.alerts: enough answers to tell the threshold from 1; of a threshold of 1 one is
        if(
            state = 'compared',
            coalesce(is_of_all or judged.minimum_detectable_effect <= 1 - threshold, false),
            null
        ) as can_detect,
        null::double as p_value,
        if(state = 'compared', md5(concat_ws('|', rule_id, threshold, answer_model)), null) as series_id,
        case
            when state != 'compared' then null
            when is_of_all and is_exceeded then {{ certain }}
            when errors_below is null then 1
            else list_avg(list_transform([1, 2, 4], lambda bet: exp(least(690, bet * errors_below - bet * bet / 2))))
        end as e_value,
        severity || ' ' || rule_id || ': ' || case
            when run_id = '' then 'no current run of ' || suite || ', ' || strategy || ', so nothing was checked.'
            when is_baseline
                then
                    'run ' || run_id || ' was answered by the extractive baseline; the rule is about language models '
                    || '(var llm_answers), so nothing was checked.'
            when is_other_model
                then
                    'run ' || run_id || ' is scored with ' || coalesce(used_model, 'no model') || '; the threshold is of '
                    || score_model || ' (var score_models), so nothing was checked.'
            when value is null
                then 'run ' || run_id || ' has no ' || metric || ' where ' || stratum_by || ' is ' || stratum || '.'
            else
                'run ' || run_id || ' (' || concat_ws(', ', suite, strategy, answer_model) || ') has ' || metric || ' '
                || format('{:.3f}', value) || ' where ' || stratum_by || ' is ' || stratum || ', threshold ' || threshold
                || ', n = ' || n
        end as message,
    from judged

)

select * from answer_alerts
