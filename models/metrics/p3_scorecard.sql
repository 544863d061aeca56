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
            any_value(value) filter (where metric = '{{ metric }}') as {{ metric }},
            any_value(ci_low) filter (where metric = '{{ metric }}') as {{ metric }}_ci_low,
            any_value(ci_high) filter (where metric = '{{ metric }}') as {{ metric }}_ci_high,
            any_value(n_measured) filter (where metric = '{{ metric }}') as {{ metric }}_n,
            any_value(is_interval_reliable) filter (where metric = '{{ metric }}') as is_{{ metric }}_interval_reliable,
            {%- if metric != 'answer_accuracy' %}
                any_value(value) filter (where metric = '{{ metric }}_shuffled') as {{ metric }}_shuffled,
            {%- endif %}
        {%- endfor %}
        {%- for metric in values %}
            any_value(value) filter (where metric = '{{ metric }}') as {{ metric }},
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
        any_value(value) filter (where metric = 'hit' and k = 5) as evidence_hit_at_5,
        any_value(ci_low) filter (where metric = 'hit' and k = 5) as evidence_hit_at_5_ci_low,
        any_value(ci_high) filter (where metric = 'hit' and k = 5) as evidence_hit_at_5_ci_high,
        any_value(value) filter (where metric = 'recall' and k = 5) as evidence_recall_at_5,
        any_value(value) filter (where metric = 'recall' and k = 30) as evidence_recall_at_30,
        any_value(value) filter (where metric = 'mrr' and k = 30) as evidence_mrr_at_30,
        any_value(value) filter (where metric = 'ndcg' and k = 10) as evidence_ndcg_at_10,
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
        evidence.evidence_n,
        evidence.evidence_hit_at_5,
        evidence.evidence_hit_at_5_ci_low,
        evidence.evidence_hit_at_5_ci_high,
        evidence.evidence_recall_at_5,
        evidence.evidence_recall_at_30,
        evidence.evidence_mrr_at_30,
        evidence.evidence_ndcg_at_10,
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
