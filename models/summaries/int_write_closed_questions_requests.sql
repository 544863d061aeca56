-- What the writers of closed questions are asked: so many from each source and from each summary. A request holds
-- nothing of the summaries of its source, so all summarisers of it face the same questions.
with

texts as (

    select * from {{ ref('int_quiz_texts') }}
    where text != ''

),

requests as (

    select
        md5(concat_ws('|', 'closed_question', text_id, {{ var('qag_questions_per_source') }})) as item_id,
        'closed_question' as kind,
        origin,
        text_id,
        source_id,
        {{ var('qag_questions_per_source') }}::integer as wanted_count,
        json_object(
            'text', text,
            'count', {{ var('qag_questions_per_source') }},
            'company_name', company_name
        )::varchar as inputs,
    from texts
    where {{ var('qag_questions_per_source') }} > 0

)

select * from requests
