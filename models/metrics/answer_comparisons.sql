-- Pairs of runs on the same questions, with what may be concluded from them (metrics.int_adjusted_comparisons).
with

pairs as (

    select * from {{ ref('int_answer_run_pairs') }}

),

{{ comparisons(
    'answers',
    ['comparison_kind', 'suite', 'run_id_a', 'run_id_b', 'label_a', 'label_b'],
    ['n_a_only', 'n_b_only'],
) }}

select * from comparisons
