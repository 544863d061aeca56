-- What systems are compared by: each run's score on each source, the mean of its items there, and on each headline.
-- Items of one source resemble each other, so the source is what is paired. Failed calls and items without a score
-- (no claim, say) are left out, and a source without any has no row.
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
            { 'metric': 'faithfulness', 'score': faithfulness },
            { 'metric': 'claim_numbers_in_source', 'score': numbers_agree_share },
            { 'metric': 'has_claims', 'score': has_claims::double }
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
        avg(score) as score,
    from item_scores
    where score is not null
    group by
        run_id,
        unit_id,
        gold_predicate,
        stratum_by,
        stratum,
        metric

)

select * from scores
