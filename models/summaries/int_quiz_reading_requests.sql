-- What the answerers of quizzes are asked: all questions of a set at once, of one text.
--   closed_question    a source's of the source and of each summary, a summary's of the source and of itself
--   statement          of the texts that it was not written from: a source's of each summary, a summary's of the source
--   choice             of each summary, and once without any text, which shows what can be guessed
with

questions as (

    select * from {{ ref('int_quiz_questions') }}
    where problem is null

),

texts as (

    select * from {{ ref('int_quiz_texts') }}

),

worded as (

    select
        *,
        case kind
            when 'closed_question' then json_object('question_id', 'q' || question_no, 'question', question_text)
            when 'statement' then json_object('statement_id', 'q' || question_no, 'statement', question_text)
            when 'choice' then json_object(
                    'question_id', 'q' || question_no, 'question', question_text,
                    'A', option_a, 'B', option_b, 'C', option_c, 'D', option_d
                )
        end as question,
    from questions

),

sets as (

    select
        set_id,
        any_value(kind) as kind,
        any_value(origin) as origin,
        any_value(text_id) as text_id,
        any_value(source_id) as source_id,
        to_json(list(question order by question_no)) as asked,
    from worded
    group by set_id

),

readings as (

    select
        sets.set_id,
        sets.kind,
        texts.text_id,
        texts.origin as reading,
        sets.asked,
        texts.company_name,
        texts.text,
    from sets
    inner join texts
        on sets.source_id = texts.source_id
    where
        (sets.kind = 'closed_question' and ('source' in (sets.origin, texts.origin) or sets.text_id = texts.text_id))
        or (sets.kind = 'statement' and sets.origin != texts.origin)
        or (sets.kind = 'choice' and texts.origin = 'summary')

    union all

    select
        sets.set_id,
        sets.kind,
        'none' as text_id,
        'none' as reading,
        sets.asked,
        texts.company_name,
        null::varchar as text,
    from sets
    inner join texts
        on sets.text_id = texts.text_id
    where sets.kind = 'choice'

),

requests as (

    select
        md5(concat_ws('|', set_id, reading, text_id)) as item_id,
        case kind
            when 'closed_question' then 'answer_closed_questions'
            when 'statement' then 'judge_statements'
            when 'choice' then 'answer_choices'
        end as task,
        kind,
        set_id,
        text_id,
        reading,
        case kind
            when 'statement' then json_object('statements', asked, 'company_name', company_name, 'text', text)
            else json_object('questions', asked, 'company_name', company_name, 'text', text)
        end::varchar as inputs,
    from readings

)

select * from requests
