with

queries as (

    select * from {{ ref('int_anchor_queries') }}

),

gold as (

    select * from {{ ref('int_anchor_gold') }}

),

gold_counts as (

    select * from {{ ref('int_anchor_gold_counts') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}

),

suites as (

    select unnest(['p1', 'p2']) as suite

),

{{ gold_version() }}

select * from final
