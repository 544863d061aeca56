with

anchors as (

    select * from {{ ref('int_anchor_runs') }}

),

questions as (

    select * from {{ ref('int_question_runs') }}

),

final as (

    select * from anchors

    union all by name

    select * from questions

)

select * from final
