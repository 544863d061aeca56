-- What the judges of statements are asked: all statements of a set at once, by the text that they were not written
-- from.
with

questions as (

    select * from {{ ref('int_quiz_questions') }}
    where kind = 'statement'
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
            'statement_id': 'q' || question_no,
            'statement': question_text
        } order by question_no)) as asked,
    from questions
    group by set_id

),

-- the source's statements by each summary, a summary's by the source
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
        and sets.origin != texts.origin

),

requests as (

    select
        md5(concat_ws('|', set_id, reading, text_id)) as item_id,
        'statement' as kind,
        set_id,
        text_id,
        reading,
        json_object('statements', asked, 'company_name', company_name, 'text', text)::varchar as inputs,
    from readings

)

select * from requests
