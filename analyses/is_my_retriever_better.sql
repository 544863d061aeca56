-- Is my own retriever better than the strategies here, and am I sure?
-- Every retriever whose hits were loaded (HITS) against every strategy of its regime, on the same queries, against
-- positional gold (questions: their evidence, or the pages or documents that their suite judges): Hit@5 and MRR@30 of both
-- with the difference and its 95 % interval, the p-value corrected for all primary comparisons of the build or, for
-- exploratory ones, within their family, the verdict in words, and what blind draws score.
-- finrag.evaluate_search says the same of a Python function, without a build.
with

headline as (

    select * from {{ ref('bi_headline') }}

),

run_comparisons as (

    select run_comparisons.*
    from {{ ref('run_comparisons') }} as run_comparisons
    semi join headline
        on run_comparisons.run_id_b = headline.run_id
        and run_comparisons.gold_window = headline.gold_window
        and run_comparisons.gold_predicate = headline.variant
    where
        run_comparisons.comparison_kind = 'strategy'
        and run_comparisons.stratum_by = 'overall'
        and (run_comparisons.metric, run_comparisons.k) in (('hit', 5), ('mrr', 30))

),

own_runs as (

    select
        run_id,
        regime,
    from {{ ref('retrieval_runs') }}
    where is_external

),

-- a strategy stands before a retriever of one's own, but two of the latter, and chance, in the order of their names
own_pairs as (

    select
        run_comparisons.*,
        own_runs.run_id as own_run_id,
        own_runs.run_id = run_comparisons.run_id_b as is_own_second,
    from run_comparisons
    inner join own_runs
        on own_runs.run_id in (run_comparisons.run_id_a, run_comparisons.run_id_b)

)

select
    own_pairs.suite,
    if(is_own_second, label_b, label_a) as mine,
    if(is_own_second, label_a, label_b) as against,
    own_pairs.metric || '@' || own_pairs.k as metric,
    n_pairs as n,
    round(if(is_own_second, value_b, value_a), 3) as my_value,
    round(if(is_own_second, value_a, value_b), 3) as its_value,
    round(if(is_own_second, difference, -difference), 3) as difference,
    format(
        '{:.3f} to {:.3f}', if(is_own_second, own_pairs.ci_low, -own_pairs.ci_high),
        if(is_own_second, own_pairs.ci_high, -own_pairs.ci_low)
    ) as interval_95,
    round(p_adjusted, 4) as p_adjusted,
    is_primary,
    case
        when is_own_second then verdict
        when starts_with(verdict, 'better') then replace(verdict, 'better', 'worse')
        else replace(verdict, 'worse', 'better')
    end as verdict,
    round(headline.random_value, 3) as blind_draws,
from own_pairs
left join headline
    on own_pairs.own_run_id = headline.run_id
    and own_pairs.metric = headline.metric
    and own_pairs.k = headline.k
order by
    is_primary desc,
    own_pairs.suite,
    mine,
    own_pairs.metric,
    against
