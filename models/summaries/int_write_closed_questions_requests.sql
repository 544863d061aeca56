-- What the writers of closed questions are asked: so many from each source and from each summary.
with

texts as (

    select * from {{ ref('int_quiz_texts') }}
    where text != ''

),

requests as (

    {{ quiz_writing_requests('closed_question', var('qag_questions_per_source')) | indent(4) }}

)

select * from requests
