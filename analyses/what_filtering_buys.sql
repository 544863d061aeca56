-- What does filtering by company, year and item buy over a search of the whole corpus, and in which sections?
-- Hit@5, MRR@30 and nDCG@10 of the narrower regime minus those of the wider one, on the same queries, against positional
-- gold, with the corrected p-value and the verdict in words.
with

run_comparisons as (

    select * from {{ ref('run_comparisons') }}

)

select
    suite,
    label_b as narrower,
    label_a as wider,
    stratum_by,
    stratum,
    metric || '@' || k as metric,
    n_pairs,
    round(value_a, 3) as value_wider,
    round(value_b, 3) as value_narrower,
    round(difference, 3) as difference,
    round(ci_low, 3) as ci_low,
    round(ci_high, 3) as ci_high,
    round(p_adjusted, 4) as p_adjusted,
    is_primary,
    verdict,
from run_comparisons
where
    comparison_kind = 'regime'
    and gold_predicate = 'positional'
    and gold_window in ('5', 'adaptive')
    and (metric, k) in (('hit', 5), ('mrr', 30), ('ndcg', 10))
    and stratum_by in ('overall', 'section_length_bucket')
order by
    is_primary desc,
    stratum_by = 'overall' desc,
    suite,
    metric,
    narrower,
    stratum
