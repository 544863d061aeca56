-- Content gold is positional gold with some left out. In P2 the narrower choice may look farther, so there what lies
-- within the window of the positional choice is compared.
with

gold as (

    select * from {{ ref('retrieval_gold') }}

),

p2_gold as (

    select * from {{ ref('p2_gold') }}

),

p2_anchors as (

    select * from {{ ref('p2_anchors') }}

),

beyond_positional_window as (

    select
        p2_gold.query_id,
        p2_gold.sentence_id,
    from p2_gold
    inner join p2_anchors
        on p2_gold.query_id = p2_anchors.query_id
    where p2_gold.position_distance > p2_anchors.positional_window

)

select
    gold.query_id,
    gold.gold_window,
    gold.sentence_id,
from gold
anti join gold as positional_gold
    on gold.query_id = positional_gold.query_id
    and gold.gold_window = positional_gold.gold_window
    and gold.sentence_id = positional_gold.sentence_id
    and positional_gold.gold_predicate = 'positional'
anti join beyond_positional_window
    on gold.query_id = beyond_positional_window.query_id
    and gold.sentence_id = beyond_positional_window.sentence_id
where gold.gold_predicate = 'content'
