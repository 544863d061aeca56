-- Does BM25 help here, alone or fused with embeddings, and for which sentences?
-- Hit@5 and MRR@30 of dense search against BM25 and hybrid, on the same queries and positional gold: the difference, its
-- 95 % interval, the corrected p-value (for all primary comparisons of the build, or within an exploratory one's family),
-- and the verdict in words, with the smallest difference that these queries could have shown.
with

run_comparisons as (

    select * from {{ ref('run_comparisons') }}

)

select
    suite,
    label_b as strategy,
    if(stratum_by = 'overall', 'all', stratum_by || ' ' || stratum) as stratum,
    metric || '@' || k as metric,
    n_pairs as n,
    round(value_a, 3) as dense,
    round(difference, 3) as difference,
    format('{:.3f} to {:.3f}', ci_low, ci_high) as interval_95,
    round(p_adjusted, 4) as p_adjusted,
    is_primary,
    verdict,
from run_comparisons
where
    comparison_kind = 'strategy'
    and label_a like '% dense %'
    and label_b not like '% random'
    and gold_predicate = 'positional'
    and gold_window in ('5', 'adaptive')
    and (metric, k) in (('hit', 5), ('mrr', 30))
    and stratum_by in ('overall', 'numeric_heavy', 'section_length_bucket')
order by
    is_primary desc,
    stratum_by = 'overall' desc,
    suite,
    metric,
    strategy,
    stratum_by,
    stratum
