-- Is one embedding model better than another here, and am I sure?
-- Every pair of embedding models in use, on the same queries, against positional gold (questions: their evidence, or the
-- pages or documents that their suite judges): the difference of Hit@5 and MRR@30 with its 95 % interval, the p-value
-- corrected for all primary comparisons of the build or, for exploratory ones, within their family, and the verdict in
-- words, with the smallest difference that these queries could have shown.
with

run_comparisons as (

    select * from {{ ref('run_comparisons') }}

),

headline as (

    select * from {{ ref('bi_headline') }}

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
semi join headline
    on run_comparisons.run_id_b = headline.run_id
    and run_comparisons.gold_window = headline.gold_window
    and run_comparisons.gold_predicate = headline.variant
where
    comparison_kind = 'model'
    and stratum_by = 'overall'
    and (metric, k) in (('hit', 5), ('mrr', 30))
order by
    is_primary desc,
    suite,
    against,
    candidate,
    metric
