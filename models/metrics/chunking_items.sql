-- What every question of a suite got out of every chunking, at equal numbers of tokens read. Gold stands on sentences, so
-- it is the same for all chunkings; a chunk carries those of which it holds enough (gold_window, the share).
--   recall_at_b  evidence sentences within the first b tokens / all of the question
--   ndcg_at_b    sum of grade / log2(position + 1) over those, a position being that among the sentences read, divided by
--                what the evidence would reach if it were read first; so what is read beside it counts against a chunking
{%- set budgets = var('chunk_token_budgets') %}
with

runs as (

    select * from {{ ref('int_chunking_runs') }}

),

sentences_read as (

    select * from {{ ref('int_chunk_sentences') }}

),

hits as (

    select * from {{ ref('int_chunk_hits') }}

),

queries as (

    select * from {{ ref('int_p3_queries') }}

),

gold as (

    select * from {{ ref('int_p3_gold') }}
    where gold_predicate = 'evidence'

),

gold_counts as (

    select * from {{ ref('int_question_gold_counts') }}
    where gold_predicate = 'evidence'

),

shares as (

    select unnest(string_split('{{ setting("chunk_min_coverage") }}', ' ')) as gold_window

),

asked as (

    select
        runs.run_id,
        runs.suite,
        runs.chunking,
        runs.embedding_model,
        queries.query_id,
        queries.cluster_id,
        shares.gold_window,
    from runs
    inner join queries
        on runs.suite = queries.suite
    cross join shares

),

answered as (

    select distinct
        run_id,
        query_id,
    from hits

),

gold_places as (

    select
        *,
        row_number() over (
            partition by suite, query_id
            order by grade desc
        ) as place,
    from gold

),

ideals as (

    select
        suite,
        query_id,
        sum(grade / log2(place + 1)) as ideal,
    from gold_places
    group by suite, query_id

),

found as (

    select
        runs.run_id,
        gold.query_id,
        sentences_read.min_coverage,
        min(sentences_read.tokens_needed) as first_gold_tokens,
        {%- for budget in budgets %}
            count(*) filter (where sentences_read.tokens_needed <= {{ budget }}) as found_at_{{ budget }},
            sum(if(sentences_read.tokens_needed <= {{ budget }}, gold.grade / log2(sentences_read.position + 1), 0))
                as gain_at_{{ budget }},
        {%- endfor %}
    from sentences_read
    inner join runs
        on sentences_read.run_id = runs.run_id
    inner join gold
        on
        runs.suite = gold.suite
        and sentences_read.query_id = gold.query_id
        and sentences_read.sentence_id = gold.sentence_id
    group by runs.run_id, gold.query_id, sentences_read.min_coverage

),

final as (

    select
        asked.run_id,
        asked.suite,
        asked.chunking,
        asked.embedding_model,
        asked.query_id,
        asked.cluster_id,
        asked.gold_window,
        'evidence' as gold_predicate,
        coalesce(gold_counts.n_gold, 0)::bigint as n_gold,
        coalesce(gold_counts.is_covered, false) as is_covered,
        -- nearest chunks are always found, unless the question has no vector
        answered.query_id is null as is_error,
        found.first_gold_tokens,
        {%- for budget in budgets %}
            coalesce(found.found_at_{{ budget }} / gold_counts.n_gold, 0)::double as recall_at_{{ budget }},
            coalesce(found.gain_at_{{ budget }} / ideals.ideal, 0)::double as ndcg_at_{{ budget }},
        {%- endfor %}
        '{{ local_md5(lineage_checksum(model.unique_id) ~ budgets) }}' as metrics_version,
    from asked
    left join gold_counts
        on asked.suite = gold_counts.suite
        and asked.query_id = gold_counts.query_id
    left join answered
        on asked.run_id = answered.run_id
        and asked.query_id = answered.query_id
    left join ideals
        on asked.suite = ideals.suite
        and asked.query_id = ideals.query_id
    left join found
        on asked.run_id = found.run_id
        and asked.query_id = found.query_id
        and asked.gold_window::double = found.min_coverage

)

select * from final
