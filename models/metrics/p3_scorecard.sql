-- metrics.answer_metric_values with the metrics side by side, for BI tools, beside what retrieval found of the
-- evidence in the same questions.
{%- set intervals = ['rouge_l', 'bertscore', 'bleurt', 'cosine', 'answer_accuracy'] %}
{%- set values = [
    'numeric_accuracy', 'boolean_accuracy', 'list_accuracy', 'list_jaccard', 'key_point_recall', 'no_answer_accuracy',
    'false_abstention', 'has_citation', 'citation_existing', 'citation_in_context', 'citation_support',
    'citation_evidence_recall', 'label_support', 'misattribution', 'gold_year_coverage', 'gold_company_coverage',
    'context_redundancy', 'evidence_in_context', 'bad_question_seed', 'bad_question', 'cost_usd', 'input_tokens', 'output_tokens',
    'latency_seconds',
] %}
{#- with an interval each, the table would have 50 columns more #}
{%- set primary = [
    'numeric_accuracy', 'boolean_accuracy', 'list_accuracy', 'key_point_recall', 'no_answer_accuracy', 'false_abstention',
    'citation_support', 'citation_evidence_recall',
] %}
{%- set evidence_metrics = [('hit', 5), ('recall', 5), ('recall', 30), ('mrr', 30), ('ndcg', 10)] %}
with

answer_values as (

    select * from {{ ref('answer_metric_values') }}

),

retrieval_values as (

    select * from {{ ref('question_metric_values') }}
    where variant = 'evidence'

),

runs as (

    select * from {{ ref('answer_runs') }}

),

answers as (

    select
        run_id,
        suite,
        regime,
        strategy,
        embedding_model,
        answer_model,
        is_baseline,
        population,
        stratum_by,
        stratum,
        is_current,
        any_value(n_total) as n_total,
        any_value(n_covered) as n_covered,
        any_value(n_error) as n_error,
        any_value(n_measured) filter (where metric = 'rouge_l') as n_measured,
        any_value(n_clusters) filter (where metric = 'rouge_l') as n_questions,
        any_value(estimand) as estimand,
        {%- for metric in intervals %}
            {{ side_by_side(metric, counted=true) }},
            any_value(is_interval_reliable) filter (where metric = '{{ metric }}') as is_{{ metric }}_interval_reliable,
            {%- if metric != 'answer_accuracy' %}
                any_value(value) filter (where metric = '{{ metric }}_shuffled') as {{ metric }}_shuffled,
            {%- endif %}
        {%- endfor %}
        {%- for metric in values %}
            {%- if metric in primary %}
                {{ side_by_side(metric, counted=true) }},
            {%- else %}
                any_value(value) filter (where metric = '{{ metric }}') as {{ metric }},
            {%- endif %}
        {%- endfor %}
    from answer_values
    group by
        run_id,
        suite,
        regime,
        strategy,
        embedding_model,
        answer_model,
        is_baseline,
        population,
        stratum_by,
        stratum,
        is_current

),

evidence as (

    select
        run_id,
        population,
        stratum_by,
        stratum,
        any_value(n_measured) filter (where metric = 'hit') as evidence_n,
        {%- for metric, k in evidence_metrics %}
            {{ side_by_side(metric, k, 'evidence_' ~ metric ~ '_at_' ~ k) }},
        {%- endfor %}
    from retrieval_values
    group by
        run_id,
        population,
        stratum_by,
        stratum

),

p3_scorecard as (

    select
        answers.*,
        evidence.* exclude (run_id, population, stratum_by, stratum),
    from answers
    left join runs
        on answers.run_id = runs.run_id
    left join evidence
        on runs.retrieval_run_id = evidence.run_id
        and answers.population = evidence.population
        and answers.stratum_by = evidence.stratum_by
        and answers.stratum = evidence.stratum

)

select * from p3_scorecard
