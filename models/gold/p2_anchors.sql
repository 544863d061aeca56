-- The window that an anchor reached: where it holds the target, the distance of its farthest gold sentence, but at
-- least the base; else the maximum.
with

anchor_draw as (

    select * from {{ ref('int_anchor_draw') }}
    where suite = 'p2'

),

gold as (

    select * from {{ ref('p2_gold') }}

),

gold_counts as (

    select
        query_id,
        count(*) filter (where gold_predicate = 'positional') as positional_gold_count,
        max(position_distance) filter (where gold_predicate = 'positional') as positional_farthest,
        count(*) filter (where gold_predicate = 'content') as content_gold_count,
        max(position_distance) filter (where gold_predicate = 'content') as content_farthest,
    from gold
    group by query_id

),

final as (

    select
        anchor_draw.* exclude (suite),
        case
            when gold_counts.positional_gold_count >= {{ var('p2_gold_target') }}
                then greatest(gold_counts.positional_farthest, {{ var('p2_window_base') }})
            else {{ var('p2_window_max') }}
        end as positional_window,
        case
            when gold_counts.content_gold_count >= {{ var('p2_gold_target') }}
                then greatest(gold_counts.content_farthest, {{ var('p2_window_base') }})
            else {{ var('p2_window_max') }}
        end as content_window,
        coalesce(gold_counts.positional_gold_count, 0) as positional_gold_count,
        coalesce(gold_counts.content_gold_count, 0) as content_gold_count,
        coalesce(gold_counts.positional_gold_count, 0) > 0 as is_covered,
    from anchor_draw
    left join gold_counts
        on anchor_draw.query_id = gold_counts.query_id

)

select * from final
