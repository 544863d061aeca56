-- Pairs of chunkings on the same questions, with what may be concluded from them (metrics.int_adjusted_comparisons).
with

pairs as (

    select * from {{ ref('int_chunking_run_pairs') }}

),

{{ comparisons(
    'chunkings',
    ['suite', 'run_id_a', 'run_id_b', 'chunking_a', 'chunking_b', 'embedding_model'],
    ['gold_window', 'k'],
) }}

select * from comparisons
