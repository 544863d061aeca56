-- Which way to cut the corpus puts most of the evidence into a context of a given size, and am I sure?
-- Every chunking in use (vars chunkings and external_chunks) after 500, 1,000 and 2,000 tokens read: the share of the
-- evidence and the nDCG with their 95 % intervals, how far the share depends on when a chunk counts as holding a sentence,
-- and what the comparison with the reference says. Empty: no chunking is in use, which the var chunkings changes.
with

values_by_run as (

    select * from {{ ref('metric_values_by_run') }}
    where
        task = 'chunking'
        and population = 'covered'
        and stratum_by = 'overall'

),

-- each against the reference of the primary endpoint, or the first that there is
comparisons as (

    select * from {{ ref('chunking_comparisons') }}
    where
        stratum_by = 'overall'
        and metric = 'recall_in_tokens'
    qualify row_number() over (
            partition by run_id_b, gold_window, k
            order by is_primary desc, chunking_a != 'sentences', chunking_a
        ) = 1

),

-- the least share that counts as the sentence, which the primary endpoint is stated for
least as (

    select min(gold_window::double)::varchar as gold_window
    from values_by_run

),

sensitivities as (

    select
        run_id,
        k,
        string_agg(
            format('{:.2f} if {:.0f} % of a sentence count', value, 100 * gold_window::double),
            ', ' order by gold_window::double
        ) as sensitivity,
    from values_by_run
    where metric = 'recall_in_tokens'
    group by run_id, k

),

recalls as (

    select *
    from values_by_run
    where
        metric = 'recall_in_tokens'
        and gold_window::double = (select least.gold_window::double from least)

),

gains as (

    select *
    from values_by_run
    where metric = 'ndcg_in_tokens'

)

select
    recalls.suite,
    recalls.k as tokens,
    recalls.system as chunking,
    recalls.n_measured as n,
    format('{:.2f} ({:.2f} to {:.2f})', recalls.value, recalls.ci_low, recalls.ci_high) as evidence_read,
    format('{:.2f} ({:.2f} to {:.2f})', gains.value, gains.ci_low, gains.ci_high) as ndcg,
    coalesce(
        comparisons.verdict || ': ' || format(
            '{:+.2f} ({:+.2f} to {:+.2f}) against ', comparisons.difference, comparisons.ci_low, comparisons.ci_high
        ) || comparisons.chunking_a,
        'what the others are read against'
    ) as verdict,
    sensitivities.sensitivity,
    recalls.embedding_model,
from recalls
inner join gains
    on recalls.run_id = gains.run_id
    and recalls.gold_window = gains.gold_window
    and recalls.k = gains.k
inner join sensitivities
    on recalls.run_id = sensitivities.run_id
    and recalls.k = sensitivities.k
left join comparisons
    on recalls.run_id = comparisons.run_id_b
    and recalls.gold_window = comparisons.gold_window
    and recalls.k = comparisons.k
order by
    recalls.suite,
    recalls.embedding_model,
    tokens,
    recalls.value desc,
    chunking
