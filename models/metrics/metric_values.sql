-- Every metric of every run, with what it takes to judge it: counts, interval, and the smallest difference that it
-- could show. That is minimum_detectable_effect: from an independent run on as many items, a two-sided test at 5 %
-- finds a true difference of this size in 80 % of the cases. A value's standard error is the half width of its 95 %
-- interval divided by 1.96, so the effect is (1.960 + 0.842) * sqrt(2) * standard error. Runs on the same items see
-- smaller differences: metrics.run_comparisons.
{%- set z_two_sided = 1.959963984540054 %} {#- 97.5th percentile of the normal distribution #}
{%- set z_power = 0.8416212335729143 %} {#- 80th percentile #}
with

answer_models as (

    select distinct
        run_id,
        answer_model,
        is_baseline,
    from {{ ref('answer_items') }}

    union all

    select
        run_id,
        model_id as answer_model,
        is_baseline,
    from {{ ref('sentiment_runs') }}

),

judged_runs as (

    select * from {{ ref('judged_runs') }}

),

rolled_up as (

    select
        *,
        'none' as answer_model,
    from {{ ref('int_metric_values') }}

    union all by name

    select
        answer_values.*,
        answer_models.answer_model,
    from {{ ref('int_answer_metric_values') }} as answer_values
    inner join answer_models
        on answer_values.run_id = answer_models.run_id

    union all by name

    select
        sentiment_values.*,
        answer_models.answer_model,
    from {{ ref('int_sentiment_metric_values') }} as sentiment_values
    inner join answer_models
        on sentiment_values.run_id = answer_models.run_id

    union all by name

    select
        judged_values.*,
        judged_runs.system as answer_model,
    from {{ ref('int_faithfulness_metric_values') }} as judged_values
    inner join judged_runs
        on judged_values.run_id = judged_runs.run_id

),

runs as (

    select
        run_id,
        is_current,
    from {{ ref('retrieval_runs') }}

    union all

    select
        run_id,
        true as is_current,
    from {{ ref('answer_runs') }}

    union all

    select
        run_id,
        true as is_current,
    from {{ ref('sentiment_runs') }}

    union all

    select
        run_id,
        true as is_current,
    from judged_runs

),

metric_values as (

    select
        rolled_up.run_id,
        rolled_up.suite,
        rolled_up.regime,
        rolled_up.strategy,
        rolled_up.embedding_model,
        rolled_up.gold_window,
        rolled_up.gold_predicate,
        rolled_up.population,
        rolled_up.stratum_by,
        rolled_up.stratum,
        rolled_up.metric,
        rolled_up.k,
        rolled_up.value,
        rolled_up.ci_low,
        rolled_up.ci_high,
        rolled_up.ci_method,
        rolled_up.n_total,
        rolled_up.n_covered,
        rolled_up.n_measured,
        rolled_up.n_error,
        rolled_up.n_clusters,
        {{ z_two_sided + z_power }} * sqrt(2)
        * (rolled_up.ci_high - rolled_up.ci_low) / 2 / {{ z_two_sided }} as minimum_detectable_effect,
        coalesce(runs.is_current, false) as is_current,
        rolled_up.answer_model,
        coalesce(answer_models.is_baseline, judged_runs.is_baseline, false) as is_baseline,
    from rolled_up
    left join runs
        on rolled_up.run_id = runs.run_id
    left join answer_models
        on rolled_up.run_id = answer_models.run_id
    left join judged_runs
        on rolled_up.run_id = judged_runs.run_id

)

select * from metric_values
