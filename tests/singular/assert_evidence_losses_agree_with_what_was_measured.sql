-- The losses are counted apart from Hit@k and from evidence_in_context, and must say the same: a question has a fact found
-- within the deepest cut-off exactly where that hit is counted, and what an answerer was shown is what answers were scored
-- with. Every question has its row in every run.
{%- set depth = var('metric_ks') | max %}
with

losses as (

    select * from {{ ref('evidence_losses') }}

),

items as (

    select * from {{ ref('int_question_items') }}
    {{ by_evidence('run_id, query_id') }}

),

answer_items as (

    select * from {{ ref('answer_items') }}

),

questions as (

    select
        suite,
        count(*) as n_questions,
    from {{ ref('p3_questions') }}
    group by suite

),

runs as (

    select
        run_id,
        suite,
        count(*) as n_rows,
    from losses
    where task = 'retrieval'
    group by
        run_id,
        suite

)

select
    losses.run_id,
    losses.query_id,
    'hit at {{ depth }}' as differs,
from losses
inner join items
    on losses.run_id = items.run_id
    and losses.query_id = items.query_id
where
    losses.reason is null
    and items.hit_at_{{ depth }} != coalesce(losses.found_ranks[1] <= {{ depth }}, false)
union all
select
    losses.run_id,
    losses.query_id,
    'evidence in context' as differs,
from losses
inner join answer_items
    on losses.answer_id = answer_items.answer_id
where
    losses.reason is null
    and losses.is_covered
    -- of pages answers are not asked how many they were shown
    and losses.query_id in (select items.query_id from items where items.gold_predicate = 'evidence')
    and coalesce(
        abs(
            answer_items.evidence_in_context * losses.n_facts_in_corpus
            - (losses.lost_at_answer + losses.not_judged + losses.kept) * losses.n_facts
        ) > 1e-9,
        true
    )
union all
select
    runs.run_id,
    null as query_id,
    'questions' as differs,
from runs
inner join questions
    on runs.suite = questions.suite
where runs.n_rows != questions.n_questions
