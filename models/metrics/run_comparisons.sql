-- Pairs of runs on the same queries, with what may be concluded from them (metrics.int_adjusted_comparisons).
with

pairs as (

    select * from {{ ref('int_run_pairs') }}

),

{{ comparisons(
    'runs',
    ['comparison_kind', 'suite', 'label_a', 'label_b'],
    ['run_id_a', 'run_id_b', 'gold_window', 'gold_predicate', 'k', 'n_a_only', 'n_b_only'],
) }}

select * from comparisons
