-- What the answerers of closed questions are asked: all questions of a set at once, of one text.
with

questions as (

    select * from {{ ref('int_quiz_questions') }}
    where kind = 'closed_question'
        and problem is null

),

texts as (

    select * from {{ ref('int_quiz_texts') }}

),

sets as (

    select
        set_id,
        any_value(origin) as origin,
        any_value(text_id) as text_id,
        any_value(source_id) as source_id,
        to_json(list({
            'question_id': 'q' || question_no,
            'question': question_text
        } order by question_no)) as asked,
    from questions
    group by set_id

),

-- the source's questions from the source and from each summary; a summary's from the source and from itself
readings as (

    select
        sets.set_id,
        texts.text_id,
        texts.origin as reading,
        sets.asked,
        texts.company_name,
        texts.text,
    from sets
    inner join texts
        on sets.source_id = texts.source_id
    where sets.origin = 'source'
        or texts.origin = 'source'
        or sets.text_id = texts.text_id

),

requests as (

    select
        md5(concat_ws('|', set_id, reading, text_id)) as item_id,
        'closed_question' as kind,
        set_id,
        text_id,
        reading,
        json_object('questions', asked, 'company_name', company_name, 'text', text)::varchar as inputs,
    from readings

)

select * from requests
