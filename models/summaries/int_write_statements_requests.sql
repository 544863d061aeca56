-- What the writers of statements are asked: so many from each source and, as a set of its own, from each summary.
with

texts as (

    select * from {{ ref('int_quiz_texts') }}
    where text != ''

),

requests as (

    {{ quiz_writing_requests('statement', var('tf_statements_per_source')) | indent(4) }}

)

select * from requests
