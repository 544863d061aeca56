{#
    What every query of a suite got out of every run, under every gold window and predicate. As trec_eval -c scores it: a
    query without hits, and one that the run lacks, scores 0. Ranks count after the query sentence is removed by id.
      hit_at_k     any gold sentence in the top k (trec_eval success_k)
      recall_at_k  gold sentences in the top k / all gold sentences (recall_k)
      rr_at_k      1 / rank of the first gold sentence, 0 beyond k (recip_rank of the run cut at k)
      ndcg_at_k    sum of grade / log2(rank + 1) over the gold sentences in the top k, divided by the most that the
                   query's gold could reach in k ranks (ndcg_cut_k, the gain being the grade)
    A query that could not be asked, because imported vectors leave it without one, or whose call failed in an external
    retriever, is an error: it counts in n_error and in no value. A query without gold (not covered) scores false and 0
    here; rollups report covered queries and all queries apart.

    Hits of equal score could as well stand in another order; one without a score, such as what follows in a chunk, could
    not. _best_at_k and _worst_at_k are what hit, rr and ndcg would be with the gold of every such group first, and last.
    Hits are kept a little beyond the deepest cut-off. A group that reaches the last one kept may go on: then the best is
    what unseen gold in it could give, the worst what it could take away, and is_tie_cut says that the two are bounds.

    Under the predicate place whole documents or pages are ranked, as gold_window says, which is what suites that judge
    these report: each has the rank that its first sentence gives it among them. As far down as sentences are kept, so
    that with fewer places than k among these a figure is the least that it can be. They have no distance.

    relations: runs, hits, gold, gold_counts, queries, query_states and sentences, as the calling model refers to them;
    places (gold.int_sentence_places) where there may be gold of the predicate place.
#}
{% macro retrieval_items(relations) -%}
{#- what a row was computed by: this statement and all models above, and the cut-offs -#}
{%- set version = local_md5(lineage_checksum(model.unique_id) ~ var('metric_ks')) -%}
{{ retrieval_items_statement(relations, version, this if is_incremental() else none) }}
{%- endmacro %}


{# scored: the table of the runs scored so far, or none. are_whole: nothing is below the last hit of a list. -#}
{% macro retrieval_items_statement(relations, version, scored, are_whole=false) -%}
{%- set cutoffs = var('metric_ks') %}
{%- set ranked = 'ranked_units' if relations.get('places') else 'ranked_hits' %}
{%- set depth = (cutoffs or [0]) | max %} {#- no cut-offs while dbt prepares a unit test #}
with

-- Runs of the present gold and corpus that are not scored yet, or were by earlier code.
runs as (

    select * from {{ relations.runs }}
    where
        is_current
    {% if scored -%}
        and run_id not in (
            select scored.run_id from {{ scored }} as scored
            where scored.metrics_version = '{{ version }}'
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
        hits.score,
        hits.distance,
        hits.is_query_sentence,
        runs.is_external,
    from {{ relations.hits }} as hits
    inner join runs
        on hits.run_id = runs.run_id

),

gold as (

    select
        *,
        if(gold_predicate = 'place', gold_window, 'sentence') as unit,
    from {{ relations.gold }}

),

gold_counts as (

    select * from {{ relations.gold_counts }}

),

queries as (

    select * from {{ relations.queries }}

),

query_states as (

    select * from {{ relations.query_states }}

),

sentences as (

    select * from {{ relations.sentences }}

),

-- What is ranked, each kind by itself: sentences, and documents or pages of the queries that have gold among these.
ranked_hits as (

    select
        run_id,
        query_id,
        'sentence' as unit,
        sentence_id,
        rank,
        score,
        distance,
        -- Nothing below the last hit kept is known where a search brought more than are measured; a list that ends before
        -- is whole. One made elsewhere may have been cut at the deepest rank measured.
        {{ 'false' if are_whole else
            'max(rank) over (partition by run_id, query_id) >= if(is_external, ' ~ depth ~ ', ' ~ (depth + 1) ~ ')'
        }} as is_cut,
    from hits
    where rank is not null

),
{%- if relations.get('places') %}

place_queries as (

    select distinct
        query_id,
        gold_window as unit,
    from gold
    where gold_predicate = 'place'

),

ranked_places as (

    select
        ranked_hits.run_id,
        ranked_hits.query_id,
        place_queries.unit,
        places.place_id as sentence_id,
        (row_number() over (
            partition by ranked_hits.run_id, ranked_hits.query_id, place_queries.unit
            order by min(ranked_hits.rank)
        ))::integer as rank,
        arg_min_null(ranked_hits.score, ranked_hits.rank) as score,
        null::float as distance,
        any_value(ranked_hits.is_cut) as is_cut,
    from ranked_hits
    inner join place_queries
        on ranked_hits.query_id = place_queries.query_id
    inner join {{ relations.places }} as places
        on ranked_hits.sentence_id = places.sentence_id
        and place_queries.unit = places.unit
    group by
        ranked_hits.run_id,
        ranked_hits.query_id,
        place_queries.unit,
        places.place_id

),

ranked_units as (

    select * from ranked_hits

    union all

    select * from ranked_places

),
{%- endif %}

-- Hits in a row with the same score are a group, which starts with the first of them.
group_starts as (

    select
        *,
        if(score = lag(score) over (partition by run_id, query_id, unit order by rank), null, rank) as start_rank,
    from {{ ranked }}

),

grouped_hits as (

    select
        * exclude (start_rank),
        max(start_rank) over (partition by run_id, query_id, unit order by rank) as tie_start,
        max(rank) over (partition by run_id, query_id, unit) as last_rank,
    from group_starts

),

tied_hits as (

    select
        run_id,
        query_id,
        unit,
        sentence_id,
        rank,
        distance,
        tie_start,
        max(rank) over (partition by run_id, query_id, unit, tie_start) as tie_end,
        is_cut and tie_end = last_rank as is_open,
    from grouped_hits

),

open_ties as (

    select distinct
        run_id,
        query_id,
        unit,
        tie_start,
    from tied_hits
    where
        is_open
        and tie_start <= {{ depth }}

),

-- The gold sentences of every query in every run. One that was not found may stand in the group that the list's end cuts.
gold_ties as (

    select
        runs.run_id,
        gold.query_id,
        gold.gold_window,
        gold.gold_predicate,
        gold.grade,
        tied_hits.rank,
        tied_hits.distance,
        tied_hits.tie_end,
        coalesce(tied_hits.tie_start, open_ties.tie_start) as tie_start,
        coalesce(tied_hits.is_open, true) as is_open,
    from runs
    inner join gold
        on runs.suite = gold.suite
    left join tied_hits
        on runs.run_id = tied_hits.run_id
        and gold.query_id = tied_hits.query_id
        and gold.sentence_id = tied_hits.sentence_id
        and gold.unit = tied_hits.unit
    left join open_ties
        on runs.run_id = open_ties.run_id
        and gold.query_id = open_ties.query_id
        and gold.unit = open_ties.unit
    where coalesce(tied_hits.tie_start, open_ties.tie_start) <= {{ depth }}

),

-- Their ranks, and the best and the worst that they could have as well.
gold_ranks as (

    select
        *,
        tie_start - 1 + row_number() over tie as best_rank,
        if(is_open, null, tie_end + 1 - row_number() over tie) as worst_rank,
    from gold_ties
    window tie as (
        partition by run_id, query_id, gold_window, gold_predicate, tie_start
        order by grade desc
    )

),

-- What each gains there.
gains as (

    select
        *,
        {%- for order in ['', 'best_', 'worst_'] %}
            grade / log2({{ order }}rank + 1) as {{ order }}gain,
        {%- endfor %}
    from gold_ranks

),

-- In one pass: first rank, and count and discounted gain up to each cut-off, as ranked and at best and worst. Gains are
-- added in the order of ranks: in the order of threads the last digit differs.
found_gold as (

    select
        run_id,
        query_id,
        gold_window,
        gold_predicate,
        min(rank) filter (where rank <= {{ depth }}) as first_gold_rank,
        min(best_rank) filter (where best_rank <= {{ depth }}) as best_first_gold_rank,
        min(worst_rank) filter (where worst_rank <= {{ depth }}) as worst_first_gold_rank,
        bool_or(is_open) as is_tie_cut,
        {%- for k in cutoffs %}
            count(*) filter (where rank <= {{ k }}) as found_at_{{ k }},
            {%- for order in ['', 'best_', 'worst_'] %}
                fsum({{ order }}gain order by {{ order }}rank)
                    filter (where {{ order }}rank <= {{ k }}) as {{ order }}gain_at_{{ k }},
            {%- endfor %}
        {%- endfor %}
        list(rank order by rank) filter (
            where distance is not null and rank <= {{ depth }}
        ) as gold_ranks,
    from gains
    group by
        run_id,
        query_id,
        gold_window,
        gold_predicate

),

-- The discounts of the first n ranks added up, n from 1: what n gold sentences of grade 1 gain at the top.
discounts as (

    select list(total order by rank_count) as totals,
    from (
        select
            counts.rank_count,
            fsum(1 / log2(counts.rank_count + 1)) over (order by counts.rank_count) as total,
        -- as many as any query has gold sentences, however deep is measured
        from (
            select unnest(range(1, least({{ depth }}, max(n_gold)) + 1)) as rank_count
            from gold_counts
        ) as counts
    )

),

-- The metrics of every query under every gold window and predicate, whatever the run found for it. The most that a
-- query's gold could gain has grade 2 at the top, then grade 1: the discounts of all, and those of grade 2 once more.
scores as (

    select
        runs.run_id,
        runs.suite,
        runs.regime,
        runs.strategy,
        runs.method,
        runs.embedding_model,
        runs.is_external,
        gold_counts.query_id,
        gold_counts.gold_window,
        gold_counts.gold_predicate,
        gold_counts.n_gold,
        gold_counts.is_covered,
        found_gold.first_gold_rank,
        found_gold.best_first_gold_rank,
        found_gold.worst_first_gold_rank,
        coalesce(found_gold.is_tie_cut, false) as is_tie_cut,
        {%- for k in cutoffs %}
            coalesce(found_gold.found_at_{{ k }} / gold_counts.n_gold, 0)::double as recall_at_{{ k }},
            discounts.totals[least(gold_counts.n_gold, {{ k }})]
            + coalesce(discounts.totals[least(gold_counts.n_chosen, {{ k }})], 0) as ideal_gain_at_{{ k }},
            {%- for suffix, prefix in [('', ''), ('_best', 'best_'), ('_worst', 'worst_')] %}
                coalesce(found_gold.{{ prefix }}first_gold_rank <= {{ k }}, false) as hit{{ suffix }}_at_{{ k }},
                if(
                    hit{{ suffix }}_at_{{ k }}, 1 / found_gold.{{ prefix }}first_gold_rank, 0
                )::double as rr{{ suffix }}_at_{{ k }},
                coalesce(found_gold.{{ prefix }}gain_at_{{ k }} / ideal_gain_at_{{ k }}, 0)::double
                    as ndcg{{ suffix }}_at_{{ k }},
            {%- endfor %}
        {%- endfor %}
        coalesce(found_gold.gold_ranks, []) as gold_ranks,
    from runs
    inner join gold_counts
        on runs.suite = gold_counts.suite
    cross join discounts
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
        unit,
        count(*) as n_hits,
        list(distance order by rank) filter (where distance is not null) as distances,
    from {{ ranked }}
    where rank <= {{ depth }}
    group by
        run_id,
        query_id,
        unit

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

-- What is known of a query in a run besides its hits: whether it was asked, and what the vectors say before the search.
run_states as (

    select
        runs.run_id,
        runs.method,
        query_states.query_id,
        query_states.is_lost,
        query_states.gold_ids,
        query_states.distances,
    from runs
    inner join query_states
        on runs.suite = query_states.suite
        and runs.index_checksum = query_states.index_checksum
        and runs.gold_version = query_states.gold_version

),

gold_pairs as (

    select
        run_id,
        query_id,
        unnest(gold_ids) as sentence_id,
        unnest(distances) as distance,
    from run_states
    where method = 'dense'

),

-- Of every gold sentence, found or not: were it only of what was found, a search that finds nothing but the nearest
-- would look better than one that finds all.
distance_lists as (

    select
        gold_pairs.run_id,
        gold.query_id,
        gold.gold_window,
        gold.gold_predicate,
        list(gold_pairs.distance order by gold_pairs.distance) as gold_distances,
    from gold_pairs
    inner join gold
        on gold_pairs.query_id = gold.query_id
        and gold_pairs.sentence_id = gold.sentence_id
    group by
        gold_pairs.run_id,
        gold.query_id,
        gold.gold_window,
        gold.gold_predicate

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
        coalesce(run_states.is_lost, false) as is_error,
        if(scores.method = 'dense', coalesce(distance_lists.gold_distances, []), null) as gold_distances,
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
        and if(scores.gold_predicate = 'place', scores.gold_window, 'sentence') = hit_lists.unit
    left join first_hits
        on scores.run_id = first_hits.run_id
        and scores.query_id = first_hits.query_id
    left join run_states
        on scores.run_id = run_states.run_id
        and scores.query_id = run_states.query_id
    left join distance_lists
        on scores.run_id = distance_lists.run_id
        and scores.query_id = distance_lists.query_id
        and scores.gold_window = distance_lists.gold_window
        and scores.gold_predicate = distance_lists.gold_predicate

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
        is_error,
        n_gold,
        is_covered,
        n_hits,
        if(is_self_tested, is_self_first, null) as self_at_1,
        if(is_self_tested, is_self_text_first, null) as self_at_1_text,
        first_gold_rank,
        best_first_gold_rank::integer as best_first_gold_rank,
        worst_first_gold_rank::integer as worst_first_gold_rank,
        is_tie_cut,
        {%- for k in cutoffs %}
            hit_at_{{ k }},
            hit_best_at_{{ k }},
            hit_worst_at_{{ k }},
            recall_at_{{ k }},
            rr_at_{{ k }},
            rr_best_at_{{ k }},
            rr_worst_at_{{ k }},
            ndcg_at_{{ k }},
            ndcg_best_at_{{ k }},
            ndcg_worst_at_{{ k }},
        {%- endfor %}
        list_median(gold_distances)::double as median_gold_distance,
        list_median(non_gold_distances)::double as median_non_gold_distance,
        gold_distances,
        non_gold_distances,
        '{{ version }}' as metrics_version,
    from with_hits

)

select * from items
{%- endmacro %}
