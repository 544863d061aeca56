with

anchors_gold as (

    select * from {{ ref('int_anchor_gold') }}

),

questions_gold as (

    select * from {{ ref('int_p3_gold') }}

),

final as (

    select * from anchors_gold

    union all by name

    select * from questions_gold

)

select * from final
