-- What is exact about the columns stands in macros/metrics/retrieval_items.sql.
with

anchors as (

    select * from {{ ref('int_anchor_items') }}

),

questions as (

    select * from {{ ref('int_question_items') }}

),

final as (

    select * from anchors

    union all by name

    select * from questions

)

select * from final
