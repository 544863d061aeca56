-- What the language models of the var llm_sentiment are asked: each headline with its labels, without examples.
with

headlines as (

    select * from {{ ref('headlines') }}

),

requests as (

    select
        headline_id as item_id,
        json_object('text', headline_text, 'options', array_to_string(choices, ', '))::varchar as inputs,
    from headlines

)

select * from requests
