-- A published report had Hit@1 of 45 % beside MRR of 0.292, which no ranking can produce. What holds by construction,
-- run by run and stratum by stratum: Hit@1 <= MRR@k <= Hit@k, Recall@k <= Hit@k, and Hit, Recall and MRR grow with k.
with

metric_values as (

    select * from {{ ref('metric_values') }}

),

by_cutoff as (

    select
        run_id,
        gold_window,
        variant,
        population,
        stratum_by,
        stratum,
        k,
        max(value) filter (where metric = 'hit') as hit,
        max(value) filter (where metric = 'recall') as recall,
        max(value) filter (where metric = 'mrr') as mrr,
        max(value) filter (where metric = 'ndcg') as ndcg,
    from metric_values
    where metric in ('hit', 'recall', 'mrr', 'ndcg')
    group by
        run_id,
        gold_window,
        variant,
        population,
        stratum_by,
        stratum,
        k

),

with_neighbours as (

    select
        *,
        first_value(hit) over by_k as hit_at_first_k,
        first_value(k) over by_k as first_k,
        lag(hit) over by_k as previous_hit,
        lag(recall) over by_k as previous_recall,
        lag(mrr) over by_k as previous_mrr,
    from by_cutoff
    window
        by_k as (
            partition by
                run_id,
                gold_window,
                variant,
                population,
                stratum_by,
                stratum
            order by k
        )

)

-- 1e-9 is rounding: the sums are of doubles
select * from with_neighbours
where
    (first_k = 1 and mrr < hit_at_first_k - 1e-9)
    or mrr > hit + 1e-9
    or recall > hit + 1e-9
    or hit < previous_hit - 1e-9
    or recall < previous_recall - 1e-9
    or mrr < previous_mrr - 1e-9
    or least(hit, recall, mrr, ndcg) < 0
    or greatest(hit, recall, mrr, ndcg) > 1 + 1e-9
    -- a metric missing at one cut-off while another is there
    or (hit is null) != (recall is null)
    or (hit is null) != (mrr is null)
    or (hit is null) != (ndcg is null)
