-- What systems are compared by: each run's share on each source, and of how many claims or items it is (weight), and on
-- each headline. Items of one source resemble each other, so the source is what is paired. Failed calls and items without
-- a score (no claim, say) are left out, and a source without any has no row. The majority class is a system too: it always
-- gives the label that most headlines of the data set have.
{%- set quizzes = [
    ('qag_items', 'closed_question', 'source', 'qag_inclusion', 'is_equal'),
    ('qag_items', 'closed_question', 'summary', 'qag_alignment', 'is_equal'),
    ('statement_items', 'statement', 'source', 'statement_accuracy', 'is_correct'),
    ('choice_items', 'choice', 'source', 'choice_accuracy', 'is_correct'),
] %}
with

faithfulness_items as (

    select * from {{ ref('faithfulness_items') }}
    where item_type = 'summary'

),

qag_items as (

    select * from {{ ref('qag_items') }}

),

statement_items as (

    select * from {{ ref('statement_items') }}

),

choice_items as (

    select * from {{ ref('choice_items') }}

),

sentiment_items as (

    select * from {{ ref('sentiment_items') }}

),

texts_by_level as (

    select
        *,
        unnest([
            { 'stratum_by': 'overall', 'stratum': 'all' },
            { 'stratum_by': 'theme', 'stratum': theme }
        ]) as level,
    from faithfulness_items

),

of_texts as (

    select
        run_id,
        cluster_id as unit_id,
        cluster_id,
        'faithful_to_' || basis as gold_predicate,
        level.stratum_by,
        level.stratum,
        unnest([
            { 'metric': 'faithfulness', 'score': n_true / n_claims, 'weight': n_claims },
            { 'metric': 'claim_numbers_in_source', 'score': n_numbers_agree / n_with_numbers, 'weight': n_with_numbers },
            { 'metric': 'has_claims', 'score': has_claims::double, 'weight': 1 }
        ]) as measured,
    from texts_by_level
    -- the summaries of a file are of everything at once
    where level.stratum_by = 'overall' or theme != 'all'

),

item_scores as (

    select
        * exclude (measured),
        measured.metric,
        measured.score,
        measured.weight::double as weight,
    from of_texts

    {% for items, gold_predicate, origin, metric, score in quizzes %}
        union all

        select
            run_id,
            source_id as unit_id,
            source_id as cluster_id,
            '{{ gold_predicate }}' as gold_predicate,
            'overall' as stratum_by,
            'all' as stratum,
            '{{ metric }}' as metric,
            {{ score }}::double as score,
            1.0::double as weight,
        from {{ items }}
        where origin = '{{ origin }}'

    {% endfor %}
    {%- for rule in ['exact', 'first_mention', 'choice_order'] %}
        union all

        select
            run_id,
            headline_id as unit_id,
            text_hash as cluster_id,
            '{{ rule }}' as gold_predicate,
            'overall' as stratum_by,
            'all' as stratum,
            'label_accuracy' as metric,
            is_correct_{{ rule }}::double as score,
            1.0::double as weight,
        from sentiment_items

        union all

        select distinct
            'majority:' || dataset as run_id,
            headline_id as unit_id,
            text_hash as cluster_id,
            '{{ rule }}' as gold_predicate,
            'overall' as stratum_by,
            'all' as stratum,
            'label_accuracy' as metric,
            (gold_label = majority_label)::double as score,
            1.0::double as weight,
        from sentiment_items

    {% endfor %}
),

scores as (

    select
        run_id,
        unit_id,
        any_value(cluster_id) as cluster_id,
        gold_predicate,
        stratum_by,
        stratum,
        metric,
        sum(score * weight) / sum(weight) as score,
        sum(weight) as weight,
    from item_scores
    where score is not null and weight > 0
    group by
        run_id,
        unit_id,
        gold_predicate,
        stratum_by,
        stratum,
        metric

)

select * from scores
