-- P2: the window grows from `p2_window_base` by one position at a time until it holds `p2_gold_target` sentences or has
-- reached `p2_window_max`. So a sentence beyond the base is gold exactly when fewer than the target are closer.
with

anchor_draw as (

    select * from {{ ref('int_anchor_draw') }}
    where suite = 'p2'

),

neighbours as (

    select * from {{ ref('int_anchor_neighbours') }}
    where position_distance <= {{ var('p2_window_max') }}

),

anchor_neighbours as (

    select
        anchor_draw.query_id,
        neighbours.sentence_id,
        neighbours.position_distance,
        neighbours.is_content,
    from anchor_draw
    inner join neighbours
        on anchor_draw.sentence_id = neighbours.anchor_sentence_id

),

predicated as (

    select
        query_id,
        'positional' as gold_predicate,
        sentence_id,
        position_distance,
    from anchor_neighbours

    union all

    select
        query_id,
        'content' as gold_predicate,
        sentence_id,
        position_distance,
    from anchor_neighbours
    where is_content

),

counted as (

    select
        *,
        rank() over (
            partition by query_id, gold_predicate
            order by position_distance
        ) - 1 as closer_count,
    from predicated

),

final as (

    select * exclude (closer_count)
    from counted
    where
        position_distance <= {{ var('p2_window_base') }}
        or closer_count < {{ var('p2_gold_target') }}

)

select * from final
