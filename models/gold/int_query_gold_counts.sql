with

anchors as (

    select * from {{ ref('int_anchor_gold_counts') }}

),

questions as (

    select * from {{ ref('int_question_gold_counts') }}

),

final as (

    select * from anchors

    union all by name

    select * from questions

)

select * from final
