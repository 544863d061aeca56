with

gold_distances as (

    select * from {{ ref('int_anchor_distances') }}

),

external_rows as (

    select * from {{ ref('int_anchor_external_rows') }}

),

gold_versions as (

    select * from {{ ref('int_anchor_gold_versions') }}

),

{{ query_states() }}

select * from final
