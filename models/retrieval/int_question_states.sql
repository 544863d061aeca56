with

gold_distances as (

    select * from {{ ref('int_question_distances') }}

),

external_rows as (

    select * from {{ ref('int_question_external_rows') }}

),

gold_versions as (

    select * from {{ ref('int_question_gold_versions') }}

),

{{ query_states() }}

select * from final
