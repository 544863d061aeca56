-- Every query that is searched for. Anchors and questions each have their own table, so that what is measured of anchors
-- depends on no question, and on no language model that wrote one.
with

anchors as (

    select * from {{ ref('int_anchor_queries') }}

),

questions as (

    select * from {{ ref('int_p3_queries') }}

),

final as (

    select * from anchors

    union all by name

    select * from questions

)

select * from final
