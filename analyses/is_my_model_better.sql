-- Is one embedding model better than another here, and am I sure?
-- Every pair of embedding models in use, on the same queries: the difference of Hit@5 and MRR@30 with its 95 % interval,
-- whether it is significant (Holm), and the smallest difference that these queries could have shown.
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
    round(minimum_detectable_effect, 3) as could_have_shown,
    case
        when is_significant and difference > 0 then 'better'
        when is_significant then 'worse'
        else 'cannot be told'
    end as verdict,
from run_comparisons
where
    comparison_kind = 'model'
    and stratum_by = 'overall'
    and gold_predicate in ('content', 'evidence')
    and gold_window in ('5', 'adaptive', 'none')
    and (metric, k) in (('hit', 5), ('mrr', 30))
order by
    suite,
    against,
    candidate,
    metric
