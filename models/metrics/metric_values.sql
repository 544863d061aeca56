-- Every metric of every run, with what it takes to judge it: counts, interval, effective number of items, and the
-- smallest difference that it could show (minimum_detectable_effect: from an independent run on as many items, a
-- two-sided test at 5 % finds a true difference of this size in 80 % of the cases; runs on the same items see smaller
-- differences, metrics.run_comparisons). All of them are computed by finrag.metrics.estimates.
--
-- The estimand is what the interval speaks of: more companies of the kind for the anchors and the summaries, whose
-- clusters are companies and filings; more questions about the filings at hand; more headlines.
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
        rolled_up.value_best,
        rolled_up.value_worst,
        rolled_up.ci_low,
        rolled_up.ci_high,
        rolled_up.ci_method,
        rolled_up.is_interval_reliable,
        case
            when rolled_up.suite = 'sentiment' then 'headlines like these'
            when rolled_up.gold_predicate in ('evidence', 'answer', 'faithful_to_evidence', 'faithful_to_context')
                then 'these filings'
            else 'filings like these'
        end as estimand,
        rolled_up.corpus_value,
        rolled_up.corpus_ci_low,
        rolled_up.corpus_ci_high,
        rolled_up.n_total,
        rolled_up.n_covered,
        rolled_up.n_measured,
        rolled_up.n_error,
        rolled_up.n_clusters,
        rolled_up.n_eff,
        rolled_up.deff,
        rolled_up.minimum_detectable_effect,
        coalesce(runs.is_current, false) as is_current,
        rolled_up.answer_model,
        rolled_up.is_baseline,
    from rolled_up
    left join runs
        on rolled_up.run_id = runs.run_id

)

select * from metric_values
