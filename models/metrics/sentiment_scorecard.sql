-- Headlines whose call failed count neither as gold nor as predicted. The f1 of class all is the mean over the classes.
with

runs as (

    select * from {{ ref('int_sentiment_runs') }}

),

metric_values as (

    select * from {{ ref('sentiment_metric_values') }}
    where is_current

),

confusion as (

    select * from {{ ref('sentiment_confusion') }}

),

majority_labels as (

    select
        run_id,
        any_value(majority_label) as majority_class,
    from {{ ref('sentiment_items') }}
    group by run_id

),

labels as (

    select distinct
        run_id,
        rule,
        gold_label as label,
    from confusion

),

class_counts as (

    select
        labels.run_id,
        labels.rule,
        labels.label,
        sum(confusion.n_headlines) filter (where confusion.gold_label = labels.label) as n_gold,
        sum(confusion.n_headlines) filter (where confusion.predicted_label = labels.label) as n_predicted,
    from labels
    inner join confusion
        on labels.run_id = confusion.run_id
        and labels.rule = confusion.rule
    where confusion.predicted_label != 'error'
    group by all

),

wide as (

    select
        run_id,
        variant as rule,
        stratum as class,
        max(n_total) as n_headlines,
        max(n_error) as n_error,
        {%- for column, metrics in {
            'accuracy': ['label_accuracy'],
            'majority_share': ['majority_accuracy'],
            'precision': ['class_precision'],
            'recall': ['class_recall'],
            'f1': ['class_f1', 'macro_f1'],
            'mcc': ['mcc'],
            'missing_rate': ['missing_rate'],
        }.items() %}
            {%- set chosen = "metric in ('" ~ metrics | join("', '") ~ "')" %}
            max(value) filter (where {{ chosen }}) as {{ column }},
            max(ci_low) filter (where {{ chosen }}) as {{ column }}_ci_low,
            max(ci_high) filter (where {{ chosen }}) as {{ column }}_ci_high,
        {%- endfor %}
        max(estimand) as estimand,
    from metric_values
    group by
        run_id,
        variant,
        stratum

),

sentiment_scorecard as (

    select
        runs.run_id,
        runs.dataset,
        runs.system,
        runs.model_id,
        runs.provider,
        runs.is_baseline,
        runs.replicate,
        wide.rule,
        wide.class,
        wide.n_headlines,
        wide.n_error,
        coalesce(class_counts.n_gold, wide.n_headlines - wide.n_error)::bigint as n_gold,
        coalesce(
            class_counts.n_predicted, round((1 - wide.missing_rate) * (wide.n_headlines - wide.n_error))
        )::bigint as n_predicted,
        wide.accuracy,
        wide.accuracy_ci_low,
        wide.accuracy_ci_high,
        majority_labels.majority_class,
        max(wide.majority_share) over of_run as majority_share,
        max(wide.majority_share_ci_low) over of_run as majority_share_ci_low,
        max(wide.majority_share_ci_high) over of_run as majority_share_ci_high,
        wide.precision,
        wide.precision_ci_low,
        wide.precision_ci_high,
        wide.recall,
        wide.recall_ci_low,
        wide.recall_ci_high,
        wide.f1,
        wide.f1_ci_low,
        wide.f1_ci_high,
        wide.mcc,
        wide.mcc_ci_low,
        wide.mcc_ci_high,
        wide.missing_rate,
        wide.missing_rate_ci_low,
        wide.missing_rate_ci_high,
        wide.estimand,
        runs.cost_usd,
        runs.cost_per_call_usd,
    from wide
    inner join runs
        on wide.run_id = runs.run_id
    inner join majority_labels
        on wide.run_id = majority_labels.run_id
    left join class_counts
        on wide.run_id = class_counts.run_id
        and wide.rule = class_counts.rule
        and wide.class = class_counts.label
    window of_run as (partition by wide.run_id, wide.rule)

)

select * from sentiment_scorecard
