-- What does it cost a search that a question is asked in other words? Of the decks that `finrag export stress` writes,
-- for every search and way to ask the questions (ticker, short name, typo, no year, other order) against the same as
-- they are written: the share with evidence among the first 5 and the mean reciprocal rank, their difference with its
-- 95 % interval, paired, and what the test says once corrected for the ways of that search. Empty: no deck has been
-- built.
with

comparisons as (

    select * from {{ ref('run_comparisons') }}
    where
        comparison_kind = 'wording'
        and gold_predicate = 'evidence'
        and stratum_by = 'overall'
        and (metric, k) in (('hit', 5), ('mrr', 30))

)

select
    suite,
    left(label_a, -len(' as_written')) as search,
    label_b[len(search) + 2:] as wording,
    metric || '@' || k as metric,
    n_pairs as n,
    round(value_a, 3) as as_written,
    round(value_b, 3) as in_other_words,
    format('{:+.3f} ({:+.3f} to {:+.3f})', difference, ci_low, ci_high) as difference,
    round(p_adjusted, 4) as p_adjusted,
    verdict,
from comparisons
order by
    suite,
    search,
    metric,
    comparisons.difference,
    wording
