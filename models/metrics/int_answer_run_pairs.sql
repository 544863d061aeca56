-- Which runs of answers are compared. b is read against a: the suite's reference strategy before the others, baselines
-- before language models, the previous run before the current one, the first replicate before the others; other pairs as
-- their names sort. is_reference: a is what all others of its kind are set against. External runs with several answers
-- to a question are left out, because it is not known which of them would be the pair.
with

items as (

    select * from {{ ref('answer_items') }}

),

runs as (

    select * from {{ ref('answer_runs') }}

),

-- what is told the gold is no candidate, and what is told something else answers another question
told_strategies as (

    select strategy
    from {{ ref('retrieval_strategies') }}
    where method in ('gold', 'gold_filings', 'altered_evidence')

),

reference_strategies as (

    select
        suite,
        strategy,
    from {{ ref('int_suite_endpoints') }}
    where compared = 'answers' and comparison_kind = 'strategy'

),

scored_runs as (

    select
        items.run_id,
        any_value(items.suite) as suite,
        any_value(items.strategy) as strategy,
        any_value(items.embedding_model) as embedding_model,
        any_value(items.answer_model) as answer_model,
        any_value(items.is_baseline) as is_baseline,
        any_value(items.source) as source,
        if(any_value(items.source) = 'external', 0, any_value(items.replicate)) as replicate,
        any_value(runs.run_id) is not null as is_current,
        max(items.scored_at) as scored_at,
    from items
    left join runs
        on items.run_id = runs.run_id
    anti join told_strategies
        on items.strategy = told_strategies.strategy
    group by items.run_id
    having count(*) = count(distinct items.query_id)

),

current_runs as (

    select
        scored_runs.*,
        coalesce(scored_runs.strategy = reference_strategies.strategy, false) as is_reference_strategy,
    from scored_runs
    left join reference_strategies
        on scored_runs.suite = reference_strategies.suite
    where scored_runs.is_current

),

pairs as (

    select
        case
            when a.strategy != b.strategy then 'strategy'
            when a.embedding_model != b.embedding_model then 'embedding'
            when a.answer_model != b.answer_model then 'model'
            else 'replicate'
        end as comparison_kind,
        a.run_id as run_id_a,
        b.run_id as run_id_b,
        case
            when a.strategy != b.strategy then a.is_reference_strategy
            when a.embedding_model != b.embedding_model
                then
                    rank() over (
                        partition by a.suite, a.strategy, a.answer_model
                        order by a.embedding_model
                    ) = 1
            else
                rank() over (
                    partition by a.suite, a.strategy, a.embedding_model
                    order by a.is_baseline desc, a.answer_model, a.replicate
                ) = 1
        end as is_reference,
    from current_runs as a
    inner join current_runs as b
        on a.suite = b.suite
        and (
            not a.is_reference_strategy, a.strategy, a.embedding_model, not a.is_baseline, a.answer_model, a.replicate
        ) < (
            not b.is_reference_strategy, b.strategy, b.embedding_model, not b.is_baseline, b.answer_model, b.replicate
        )
        -- one difference at a time; an external system differs in all
        and case
            when a.source != b.source then true
            -- bm25 uses no embedding model, so it is compared with the strategies of every one
            when a.strategy != b.strategy
                then
                    a.answer_model = b.answer_model
                    and a.replicate = b.replicate
                    and (a.embedding_model = b.embedding_model or 'none' in (a.embedding_model, b.embedding_model))
            when a.embedding_model != b.embedding_model
                then a.answer_model = b.answer_model and a.replicate = b.replicate
            when a.answer_model != b.answer_model then a.replicate = b.replicate
            else a.replicate = 1
        end

    union all

    select
        'previous' as comparison_kind,
        scored_runs.run_id as run_id_a,
        current_runs.run_id as run_id_b,
        true as is_reference,
    from current_runs
    inner join scored_runs
        on current_runs.suite = scored_runs.suite
        and current_runs.strategy = scored_runs.strategy
        and current_runs.embedding_model = scored_runs.embedding_model
        and current_runs.answer_model = scored_runs.answer_model
        and current_runs.replicate = scored_runs.replicate
    where not scored_runs.is_current
    qualify row_number() over (
            partition by current_runs.run_id
            order by scored_runs.scored_at desc, scored_runs.run_id
        ) = 1

),

run_pairs as (

    select
        md5(concat_ws(':', pairs.comparison_kind, pairs.run_id_a, pairs.run_id_b)) as comparison_id,
        pairs.comparison_kind,
        b.suite,
        pairs.run_id_a,
        pairs.run_id_b,
        concat_ws(
            ' ', a.strategy, nullif(a.embedding_model, 'none'), a.answer_model, if(a.replicate > 1, '#' || a.replicate, null)
        ) as label_a,
        concat_ws(
            ' ', b.strategy, nullif(b.embedding_model, 'none'), b.answer_model, if(b.replicate > 1, '#' || b.replicate, null)
        ) as label_b,
        a.strategy as strategy_a,
        pairs.is_reference,
        -- what a strategy must beat is no candidate
        'random' in (a.strategy, b.strategy) as is_chance,
    from pairs
    inner join scored_runs as a
        on pairs.run_id_a = a.run_id
    inner join scored_runs as b
        on pairs.run_id_b = b.run_id

)

select * from run_pairs
