-- What the writers of statements are asked: so many from each source and, as a set of its own, from each summary. A
-- request holds nothing of the summaries of its source, so all summarisers of it face the same statements.
with

texts as (

    select * from {{ ref('int_quiz_texts') }}
    where text != ''

),

requests as (

    select
        md5(concat_ws('|', 'statement', text_id, {{ var('tf_statements_per_source') }})) as item_id,
        'statement' as kind,
        origin,
        text_id,
        source_id,
        {{ var('tf_statements_per_source') }}::integer as wanted_count,
        json_object(
            'text', text,
            'count', {{ var('tf_statements_per_source') }},
            'company_name', company_name
        )::varchar as inputs,
    from texts
    where {{ var('tf_statements_per_source') }} > 0

)

select * from requests
