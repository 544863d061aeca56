-- A published run had gold that shrank as the window grew, which no window can do: whatever is gold within a window is
-- gold within every larger one.
with

gold as (

    select * from {{ ref('retrieval_gold') }}
    where suite = 'p1'

),

gold_counts as (

    select * from {{ ref('int_query_gold_counts') }}
    where suite = 'p1'

)

select
    gold.query_id,
    gold.gold_predicate,
    gold.gold_window,
    gold_counts.gold_window as larger_window,
    gold.sentence_id,
from gold
inner join gold_counts
    on gold.query_id = gold_counts.query_id
    and gold.gold_predicate = gold_counts.gold_predicate
    and gold.gold_window::integer < gold_counts.gold_window::integer
anti join gold as larger_gold
    on gold.query_id = larger_gold.query_id
    and gold.gold_predicate = larger_gold.gold_predicate
    and gold.sentence_id = larger_gold.sentence_id
    and gold_counts.gold_window = larger_gold.gold_window
