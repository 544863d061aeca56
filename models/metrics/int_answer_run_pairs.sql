-- Which runs of answers are compared. b is read against a: strategies and models as their names sort, the previous run
-- before the current one, the first replicate before the others. External runs with several answers to a question are
-- left out, because it is not known which of them would be the pair.
with

items as (

    select * from {{ ref('answer_items') }}

),

runs as (

    select * from {{ ref('answer_runs') }}

),

scored_runs as (

    select
        items.run_id,
        any_value(items.suite) as suite,
        any_value(items.strategy) as strategy,
        any_value(items.embedding_model) as embedding_model,
        any_value(items.answer_model) as answer_model,
        any_value(items.source) as source,
        if(any_value(items.source) = 'external', 0, any_value(items.replicate)) as replicate,
        any_value(runs.run_id) is not null as is_current,
        max(items.scored_at) as scored_at,
    from items
    left join runs
        on items.run_id = runs.run_id
    group by items.run_id
    having count(*) = count(distinct items.query_id)

),

current_runs as (

    select * from scored_runs
    where is_current

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
    from current_runs as a
    inner join current_runs as b
        on a.suite = b.suite
        and (a.strategy, a.embedding_model, a.answer_model, a.replicate)
        < (b.strategy, b.embedding_model, b.answer_model, b.replicate)
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
        concat_ws(' ', a.strategy, a.answer_model, if(a.replicate > 1, '#' || a.replicate, null)) as label_a,
        concat_ws(' ', b.strategy, b.answer_model, if(b.replicate > 1, '#' || b.replicate, null)) as label_b,
    from pairs
    inner join scored_runs as a
        on pairs.run_id_a = a.run_id
    inner join scored_runs as b
        on pairs.run_id_b = b.run_id

)

select * from run_pairs
