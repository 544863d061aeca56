-- Each label that a run could choose against each of them, and against replies without a label and calls that failed;
-- pairs that never occur have 0. Shares are of all headlines of the gold label, failed calls among them.
with

items as (

    select * from {{ ref('sentiment_items') }}

),

by_rule as (

    {%- for rule in ['exact', 'first_mention', 'choice_order'] %}
        select
            run_id,
            '{{ rule }}' as rule,
            gold_label,
            case
                when is_error then 'error'
                else coalesce(label_{{ rule }}, 'missing')
            end as predicted_label,
        from items
        {%- if not loop.last %}

            union all
        {% endif %}
    {%- endfor %}

),

runs as (

    select distinct
        run_id,
        dataset,
        system,
        model_id,
        provider,
        is_baseline,
    from items

),

labels as (

    select distinct
        run_id,
        unnest(choices) as label,
    from items

),

rules as (

    select unnest(['exact', 'first_mention', 'choice_order']) as rule,

),

predictions as (

    select
        run_id,
        label,
    from labels

    union all

    select
        runs.run_id,
        others.label,
    from runs
    cross join (values ('missing'), ('error')) as others (label)

),

counts as (

    select
        run_id,
        rule,
        gold_label,
        predicted_label,
        count(*) as n_headlines,
    from by_rule
    group by all

),

cells as (

    select
        runs.*,
        rules.rule,
        labels.label as gold_label,
        predictions.label as predicted_label,
        coalesce(counts.n_headlines, 0) as n_headlines,
    from runs
    cross join rules
    inner join labels
        on runs.run_id = labels.run_id
    inner join predictions
        on runs.run_id = predictions.run_id
    left join counts
        on runs.run_id = counts.run_id
        and rules.rule = counts.rule
        and labels.label = counts.gold_label
        and predictions.label = counts.predicted_label

),

sentiment_confusion as (

    select
        run_id,
        dataset,
        system,
        model_id,
        provider,
        is_baseline,
        rule,
        gold_label,
        predicted_label,
        n_headlines,
        n_headlines / nullif(sum(n_headlines) over (partition by run_id, rule, gold_label), 0) as share_of_gold,
    from cells

)

select * from sentiment_confusion
