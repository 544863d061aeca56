-- Items of stress decks (finrag.questions.stress), whose questions are called id~way: under the question itself, and as
-- a run of its own the way in which it was asked, so that wordings are compared as runs are. What is told the evidence,
-- or draws by lot, is moved by no wording.
{%- set mark = '~' %}
with

items as (

    select * from {{ ref('retrieval_items') }}

),

runs as (

    select * from {{ ref('retrieval_runs') }}
    where
        is_current
        and method not in ('gold', 'gold_filings', 'random')

),

questions as (

    select * from {{ ref('p3_questions') }}
    where contains(question_id, '{{ mark }}')

),

final as (

    select
        items.* replace (
            items.run_id || '{{ mark }}' || split_part(questions.question_id, '{{ mark }}', 2) as run_id,
            items.suite || ':' || split_part(questions.question_id, '{{ mark }}', 1) as query_id
        ),
    from items
    inner join runs
        on items.run_id = runs.run_id
    inner join questions
        on items.query_id = questions.query_id

)

select * from final
