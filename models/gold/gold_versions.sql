with

anchors as (

    select * from {{ ref('int_anchor_gold_versions') }}

),

questions as (

    select * from {{ ref('int_question_gold_versions') }}

),

final as (

    select * from anchors

    union all by name

    select * from questions

)

select * from final
