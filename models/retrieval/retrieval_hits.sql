with

anchors as (

    select * from {{ ref('int_anchor_hits') }}

),

questions as (

    select * from {{ ref('int_question_hits') }}

),

hits as (

    select * from anchors

    union all by name

    select * from questions

),

final as (

    select
        run_id,
        query_id,
        sentence_id,
        raw_rank,
        rank,
        score,
        distance,
        is_query_sentence,
    from hits

)

select * from final
