-- The groups that results are broken down by, those of anchors and those of questions.
with

anchors as (

    select * from {{ ref('int_anchor_strata') }}

),

questions as (

    select * from {{ ref('int_p3_strata') }}

),

final as (

    select * from anchors

    union all by name

    select * from questions

)

select * from final
