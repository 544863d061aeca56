-- What the writers of multiple-choice questions are asked: so many from each source.
with

texts as (

    select * from {{ ref('int_quiz_texts') }}
    where text != ''
        and origin = 'source'

),

requests as (

    select
        md5(concat_ws('|', 'choice', text_id, {{ var('choice_questions_per_source') }})) as item_id,
        'choice' as kind,
        origin,
        text_id,
        source_id,
        {{ var('choice_questions_per_source') }}::integer as wanted_count,
        json_object(
            'text', text,
            'count', {{ var('choice_questions_per_source') }},
            'company_name', company_name
        )::varchar as inputs,
    from texts
    where {{ var('choice_questions_per_source') }} > 0

)

select * from requests
