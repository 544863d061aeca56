-- A figure whose regime is not stated stands beside ours of every regime. One that we do not measure keeps its row.
-- Counts of rows of the views stand beside ours, of this corpus, and are not subtracted either.
-- Figures of different encoders have different ranges: only where both are named and the same, or none has a part in the
-- figure, is there a difference.
with

published_figures as (

    select * from {{ ref('published_figures') }}

),

all_values as (

    {% for task in ['anchor', 'question', 'answer', 'faithfulness', 'quiz', 'sentiment'] -%}
        select * from {{ ref(task ~ '_metric_values') }}
        {%- if not loop.last %}
            union all by name
        {% endif %}
    {%- endfor %}

),

measured as (

    select * from all_values
    where is_current

),

bundle_counts as (

    select * from {{ ref('int_bundle_counts') }}

),

score_models as (

    select
        run_id,
        any_value(bertscore_model) as bertscore_model,
        any_value(bleurt_model) as bleurt_model,
        any_value(cosine_model) as cosine_model,
    from {{ ref('answer_items') }}
    group by run_id

),

published_vs_measured as (

    select
        published_figures.figure_id,
        published_figures.reported_by,
        published_figures.suite,
        published_figures.dataset,
        published_figures.regime as reported_regime,
        published_figures.metric,
        published_figures.k,
        published_figures.population,
        published_figures.stratum_by,
        published_figures.stratum,
        published_figures.value as reported_value,
        published_figures.n as reported_n,
        published_figures.encoder as reported_encoder,
        published_figures.is_possible,
        measured.run_id,
        measured.regime,
        measured.strategy,
        measured.embedding_model,
        measured.answer_model,
        measured.is_baseline,
        coalesce(measured.value, bundle_counts.row_count) as measured_value,
        measured.ci_low,
        measured.ci_high,
        measured.n_measured as n,
        case
            when measured.run_id is null then null
            when published_figures.encoder = 'none' then 'none'
            when published_figures.metric like 'bertscore%' then coalesce(score_models.bertscore_model, 'none')
            when published_figures.metric like 'bleurt%' then coalesce(score_models.bleurt_model, 'none')
            when published_figures.metric = 'cosine' then coalesce(score_models.cosine_model, 'none')
            else measured.embedding_model
        end as measured_encoder,
        if(measured_encoder = published_figures.encoder, measured.value - published_figures.value, null) as difference,
        published_figures.source,
        published_figures.note,
    from published_figures
    left join measured
        on published_figures.suite = coalesce(measured.suite, 'none')
        and published_figures.dataset = coalesce(measured.dataset, 'none')
        and published_figures.strategy = measured.strategy
        and coalesce(published_figures.regime, '') in ('', measured.regime)
        and published_figures.metric = measured.metric
        and published_figures.k = measured.k
        and published_figures.gold_window = measured.gold_window
        and published_figures.gold_predicate = measured.variant
        and published_figures.population = measured.population
        and published_figures.stratum_by = measured.stratum_by
        and published_figures.stratum = measured.stratum
    left join bundle_counts
        on published_figures.dataset = 'bundles'
        and published_figures.metric = bundle_counts.metric
        and published_figures.stratum_by = bundle_counts.stratum_by
        and published_figures.stratum = bundle_counts.stratum
    left join score_models
        on measured.run_id = score_models.run_id

)

select * from published_vs_measured
