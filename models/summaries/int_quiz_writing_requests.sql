-- What the writers of quizzes are asked: so many closed questions and statements from each source and each summary,
-- and so many multiple-choice questions from each source. A request holds nothing of the summaries of its source, so
-- all summarisers of it face the same questions.
with

texts as (

    select * from {{ ref('int_quiz_texts') }}
    where text != ''

),

kinds (task, kind, is_of_summaries, wanted_count) as (

    values
    ('write_closed_questions', 'closed_question', true, {{ setting('qag_questions_per_source') }}),
    ('write_statements', 'statement', true, {{ setting('tf_statements_per_source') }}),
    ('write_choices', 'choice', false, {{ setting('choice_questions_per_source') }})

),

requests as (

    select
        md5(concat_ws('|', kinds.kind, texts.text_id, kinds.wanted_count)) as item_id,
        kinds.task,
        kinds.kind,
        texts.origin,
        texts.text_id,
        texts.source_id,
        kinds.wanted_count::integer as wanted_count,
        json_object(
            'text', texts.text, 'count', kinds.wanted_count, 'company_name', texts.company_name
        )::varchar as inputs,
    from texts
    inner join kinds
        on texts.origin = 'source'
        or kinds.is_of_summaries
    where kinds.wanted_count > 0

)

select * from requests
