-- What the answerers of multiple-choice questions are asked: all questions of a set at once, of each summary, and
-- once without any text, which shows what can be guessed.
with

questions as (

    select * from {{ ref('int_quiz_questions') }}
    where kind = 'choice'
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
            'question': question_text,
            'A': option_a,
            'B': option_b,
            'C': option_c,
            'D': option_d
        } order by question_no)) as asked,
    from questions
    group by set_id

),

readings as (

    select
        sets.set_id,
        texts.text_id,
        'summary' as reading,
        sets.asked,
        texts.company_name,
        texts.text,
    from sets
    inner join texts
        on sets.source_id = texts.source_id
    where texts.origin = 'summary'

    union all

    select
        sets.set_id,
        'none' as text_id,
        'none' as reading,
        sets.asked,
        texts.company_name,
        null::varchar as text,
    from sets
    inner join texts
        on sets.text_id = texts.text_id

),

requests as (

    select
        md5(concat_ws('|', set_id, reading, text_id)) as item_id,
        'choice' as kind,
        set_id,
        text_id,
        reading,
        json_object('questions', asked, 'company_name', company_name, 'text', text)::varchar as inputs,
    from readings

)

select * from requests
