-- Every metric of every run, with what it takes to judge it: counts, interval, and the smallest difference that it
-- could show. That is minimum_detectable_effect: from an independent run on as many items, a two-sided test at 5 %
-- finds a true difference of this size in 80 % of the cases. A value's standard error is the half width of its 95 %
-- interval divided by 1.96, so the effect is (1.960 + 0.842) * sqrt(2) * standard error. Runs on the same items see
-- smaller differences: metrics.run_comparisons.
{%- set z_two_sided = 1.959963984540054 %} {#- 97.5th percentile of the normal distribution #}
{%- set z_power = 0.8416212335729143 %} {#- 80th percentile #}
with

-- What was evaluated in a run, and whether by rules only: who answered, summarised, judged or labelled.
answer_models as (

    select
        run_id,
        answer_model,
        is_baseline,
    from {{ ref('answer_items') }}

    union

    select
        run_id,
        system as answer_model,
        is_baseline,
    from {{ ref('judged_runs') }}

    union

    select
        run_id,
        system as answer_model,
        is_baseline,
    from {{ ref('qag_items') }}

    union

    select
        run_id,
        system as answer_model,
        is_baseline,
    from {{ ref('statement_items') }}

    union

    select
        run_id,
        system as answer_model,
        is_baseline,
    from {{ ref('choice_items') }}

    union

    select
        run_id,
        model_id as answer_model,
        is_baseline,
    from {{ ref('sentiment_runs') }}

),

values_of_models as (

    select * from {{ ref('int_answer_metric_values') }}

    union all by name

    select * from {{ ref('int_faithfulness_metric_values') }}

    union all by name

    select * from {{ ref('int_quiz_metric_values') }}

    union all by name

    select * from {{ ref('int_sentiment_metric_values') }}

),

rolled_up as (

    select
        *,
        'none' as answer_model,
        false as is_baseline,
    from {{ ref('int_metric_values') }}

    union all by name

    select
        values_of_models.*,
        answer_models.answer_model,
        answer_models.is_baseline,
    from values_of_models
    inner join answer_models
        on values_of_models.run_id = answer_models.run_id

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
    from {{ ref('judged_runs') }}

    union all

    select
        run_id,
        true as is_current,
    from {{ ref('quiz_runs') }}

    union all

    select
        run_id,
        true as is_current,
    from {{ ref('sentiment_runs') }}

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
        rolled_up.is_baseline,
    from rolled_up
    left join runs
        on rolled_up.run_id = runs.run_id

)

select * from metric_values
