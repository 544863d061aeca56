-- P1: the sentences at most W positions from the anchor, for the largest W of `p1_windows`; position_distance gives the
-- smaller ones.
with

anchors as (

    select * from {{ ref('p1_anchors') }}

),

neighbours as (

    select * from {{ ref('int_anchor_neighbours') }}

),

final as (

    select
        anchors.query_id,
        neighbours.sentence_id,
        neighbours.position_distance,
        neighbours.is_content,
    from anchors
    inner join neighbours
        on anchors.sentence_id = neighbours.anchor_sentence_id
    where neighbours.position_distance <= {{ var('p1_windows') | max }}

)

select * from final
