-- Is one embedding model better than another here, and am I sure?
-- Every pair of embedding models in use, on the same queries, against positional gold (questions: their evidence): the
-- difference of Hit@5 and MRR@30 with its 95 % interval, the p-value corrected for all primary comparisons of the build
-- or, for exploratory ones, within their family, and the verdict in words, with the smallest difference that these queries
-- could have shown.
with

run_comparisons as (

    select * from {{ ref('run_comparisons') }}

)

select
    suite,
    label_a as against,
    label_b as candidate,
    metric || '@' || k as metric,
    n_pairs as n,
    round(difference, 3) as difference,
    format('{:.3f} to {:.3f}', ci_low, ci_high) as interval_95,
    round(p_adjusted, 4) as p_adjusted,
    is_primary,
    verdict,
from run_comparisons
where
    comparison_kind = 'model'
    and stratum_by = 'overall'
    and gold_predicate in ('positional', 'evidence')
    and gold_window in ('5', 'adaptive', 'none')
    and (metric, k) in (('hit', 5), ('mrr', 30))
order by
    is_primary desc,
    suite,
    against,
    candidate,
    metric
