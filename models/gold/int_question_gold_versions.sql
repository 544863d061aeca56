with

queries as (

    select * from {{ ref('int_p3_queries') }}

),

gold as (

    select * from {{ ref('int_p3_gold') }}

),

gold_counts as (

    select * from {{ ref('int_question_gold_counts') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}

),

suites as (

    select distinct suite
    from queries

),

{{ gold_version() }}

select * from final
