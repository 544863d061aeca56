-- What every query of a suite got out of every run, under every gold window and predicate. As trec_eval -c scores it: a
-- query without hits, and one that the run lacks, scores 0. Ranks count after the query sentence is removed by id.
--   hit_at_k     any gold sentence in the top k (trec_eval success_k)
--   recall_at_k  gold sentences in the top k / all gold sentences (recall_k)
--   rr_at_k      1 / rank of the first gold sentence, 0 beyond k (recip_rank of the run cut at k)
--   ndcg_at_k    sum of 1 / log2(rank + 1) over the gold sentences in the top k, divided by the most that the query's
--                gold could reach in k ranks (ndcg_cut_k, gain 1)
-- A query without gold (not covered) scores false and 0 here; rollups report covered queries and all queries apart.
{%- set cutoffs = var('metric_ks') %}
{%- set depth = (cutoffs or [0]) | max %} {#- no cut-offs while dbt prepares a unit test #}
{#- what a row was computed by: this model and all above it, and the cut-offs #}
{%- set metrics_version = local_md5(lineage_checksum(model.unique_id) ~ cutoffs) %}
with

-- Runs of the present gold and corpus that are not scored yet, or were by earlier code.
runs as (

    select * from {{ ref('retrieval_runs') }}
    where
        is_current
    {% if is_incremental() -%}
        and run_id not in (
            select scored.run_id from {{ this }} as scored
            where scored.metrics_version = '{{ metrics_version }}'
        )
        {%- endif %}

),

hits as not materialized (

    select
        hits.run_id,
        hits.query_id,
        hits.sentence_id,
        hits.raw_rank,
        hits.rank,
        hits.distance,
        hits.is_query_sentence,
    from {{ ref('retrieval_hits') }} as hits
    semi join runs
        on hits.run_id = runs.run_id

),

gold as (

    select * from {{ ref('retrieval_gold') }}

),

gold_counts as (

    select * from {{ ref('query_gold_counts') }}

),

queries as (

    select * from {{ ref('retrieval_queries') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}

),

-- The gold sentences that were found, in one pass: first rank, and count and discounted gain up to each cut-off.
found_gold as (

    select
        hits.run_id,
        gold.query_id,
        gold.gold_window,
        gold.gold_predicate,
        min(hits.rank) as first_gold_rank,
        {%- for k in cutoffs %}
            count(*) filter (where hits.rank <= {{ k }}) as found_at_{{ k }},
            fsum(1 / log2(hits.rank + 1)) filter (where hits.rank <= {{ k }}) as gain_at_{{ k }},
        {%- endfor %}
        list(hits.rank order by hits.rank) filter (where hits.distance is not null) as gold_ranks,
    from hits
    inner join gold
        on hits.query_id = gold.query_id
        and hits.sentence_id = gold.sentence_id
    where hits.rank <= {{ depth }}
    group by
        hits.run_id,
        gold.query_id,
        gold.gold_window,
        gold.gold_predicate

),

-- The most that n gold sentences can gain: all of them at the top.
ideal_gains as (

    select list(gain order by gold_count) as gains,
    from (
        select
            counts.gold_count,
            sum(1 / log2(counts.gold_count + 1)) over (order by counts.gold_count) as gain,
        from range(1, {{ depth + 1 }}) as counts (gold_count)
    )

),

-- The metrics of every query under every gold window and predicate, whatever the run found for it.
scores as (

    select
        runs.run_id,
        runs.suite,
        runs.regime,
        runs.strategy,
        runs.embedding_model,
        runs.is_external,
        gold_counts.query_id,
        gold_counts.gold_window,
        gold_counts.gold_predicate,
        gold_counts.n_gold,
        gold_counts.is_covered,
        found_gold.first_gold_rank,
        {%- for k in cutoffs %}
            coalesce(found_gold.found_at_{{ k }} > 0, false) as hit_at_{{ k }},
            coalesce(found_gold.found_at_{{ k }} / gold_counts.n_gold, 0)::double as recall_at_{{ k }},
            if(found_gold.first_gold_rank <= {{ k }}, 1 / found_gold.first_gold_rank, 0)::double as rr_at_{{ k }},
            coalesce(
                found_gold.gain_at_{{ k }} / ideal_gains.gains[least(gold_counts.n_gold, {{ k }})], 0
            )::double as ndcg_at_{{ k }},
        {%- endfor %}
        coalesce(found_gold.gold_ranks, []) as gold_ranks,
    from runs
    inner join gold_counts
        on runs.suite = gold_counts.suite
    cross join ideal_gains
    left join found_gold
        on runs.run_id = found_gold.run_id
        and gold_counts.query_id = found_gold.query_id
        and gold_counts.gold_window = found_gold.gold_window
        and gold_counts.gold_predicate = found_gold.gold_predicate

),

-- How many hits a query got, and their distances in order of rank (none where the run measures none).
hit_lists as (

    select
        run_id,
        query_id,
        count(*) as n_hits,
        list(distance order by rank) filter (where distance is not null) as distances,
    from hits
    where rank <= {{ depth }}
    group by
        run_id,
        query_id

),

-- What the query sentence's own text or vector brings back first.
first_hits as (

    select
        hits.run_id,
        hits.query_id,
        hits.is_query_sentence,
        sentences.text_hash,
    from hits
    left join sentences
        on hits.sentence_id = sentences.sentence_id
    where hits.raw_rank = 1

),

with_hits as (

    select
        scores.*,
        if(queries.sentence_id is null, queries.cluster_id, queries.filing_id) as filing_id,
        queries.cluster_id,
        queries.second_cluster_id,
        1 / queries.inclusion_probability as sampling_weight,
        coalesce(hit_lists.n_hits, 0) as n_hits,
        not scores.is_external and queries.sentence_id is not null as is_self_tested,
        coalesce(first_hits.is_query_sentence, false) as is_self_first,
        coalesce(first_hits.text_hash = queries.text_hash, false) as is_self_text_first,
        list_select(hit_lists.distances, scores.gold_ranks) as gold_distances,
        list_select(
            hit_lists.distances,
            list_filter(
                range(1, len(hit_lists.distances) + 1), lambda rank: not list_contains(scores.gold_ranks, rank)
            )
        ) as non_gold_distances,
    from scores
    inner join queries
        on scores.query_id = queries.query_id
    left join hit_lists
        on scores.run_id = hit_lists.run_id
        and scores.query_id = hit_lists.query_id
    left join first_hits
        on scores.run_id = first_hits.run_id
        and scores.query_id = first_hits.query_id

),

items as (

    select
        run_id,
        suite,
        regime,
        strategy,
        embedding_model,
        query_id,
        gold_window,
        gold_predicate,
        filing_id,
        cluster_id,
        second_cluster_id,
        sampling_weight,
        false as is_error,
        n_gold,
        is_covered,
        n_hits,
        if(is_self_tested, is_self_first, null) as self_at_1,
        if(is_self_tested, is_self_text_first, null) as self_at_1_text,
        first_gold_rank,
        {%- for k in cutoffs %}
            hit_at_{{ k }},
            recall_at_{{ k }},
            rr_at_{{ k }},
            ndcg_at_{{ k }},
        {%- endfor %}
        list_median(gold_distances)::double as median_gold_distance,
        list_median(non_gold_distances)::double as median_non_gold_distance,
        gold_distances,
        non_gold_distances,
        '{{ metrics_version }}' as metrics_version,
    from with_hits

)

select * from items
