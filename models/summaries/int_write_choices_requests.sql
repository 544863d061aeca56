-- What the writers of multiple-choice questions are asked: so many from each source.
with

texts as (

    select * from {{ ref('int_quiz_texts') }}
    where text != ''
        and origin = 'source'

),

requests as (

    {{ quiz_writing_requests('choice', var('choice_questions_per_source')) | indent(4) }}

)

select * from requests
