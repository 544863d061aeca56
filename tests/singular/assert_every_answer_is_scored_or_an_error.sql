-- An answer that drops out of a join between asking and scoring makes the others look like all there are: every answer
-- has its row of scores, every reply is an answer, and every request is answered by every model of the build.
with

answers as (

    select * from {{ ref('answers') }}

),

items as (

    select * from {{ ref('answer_items') }}

),

requests as (

    select * from {{ ref('int_answer_requests') }}

),

responses as (

    select * from {{ ref('int_answer_responses') }}

),

external_answers as (

    select * from {{ ref('int_external_answers') }}
    where reason is null

),

unscored as (

    select
        'answer without scores' as problem,
        answers.answer_id,
    from answers
    anti join items
        on answers.answer_id = items.answer_id

),

unlike as (

    select
        'similarity missing' as problem,
        items.answer_id,
    from items
    inner join answers
        on items.answer_id = answers.answer_id
    inner join {{ ref('p3_questions') }} as questions
        on items.suite = questions.suite
        and items.query_id = questions.suite || ':' || questions.question_id
    where
        not items.is_error
        and items.rouge_l is null
        and trim(coalesce(questions.answer_text, '')) != ''
        and trim(coalesce(answers.answer_text, '')) != ''

),

counts as (

    select
        (select count(*) from answers) as n_answers,
        (select count(*) from responses) + (select count(*) from external_answers) as n_replies,
        (select count(*) from requests) * (
            select count(distinct concat_ws('|', responses.model_id, responses.replicate)) from responses
        ) as n_wanted,
        (select count(*) from responses) as n_responses,

),

uncounted as (

    select
        concat_ws(
            ' ', n_answers, 'answers of', n_replies, 'replies;', n_responses, 'responses of', n_wanted
        ) as problem,
        null as answer_id,
    from counts
    where n_answers != n_replies or n_responses != n_wanted

)

select * from unscored
union all
select * from unlike
union all
select * from uncounted
