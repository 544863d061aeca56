-- The way of every sentence from its path to the context. Strategies of one path have their hits as that path. The path
-- `context` is the last step of all: what an answerer is shown.
with

runs as (

    select * from {{ ref('retrieval_runs') }}
    where
        is_current
        and suite not in ('p1', 'p2')

),

steps as (

    select * from {{ ref('int_pipeline_steps') }}

),

hits as (

    select * from {{ ref('retrieval_hits') }}

),

candidates as (

    select * from {{ ref('int_context_candidates') }}

),

path_steps as (

    select
        run_id,
        query_id,
        path,
        path_detail,
        sentence_id,
        step_rank,
        score,
        status,
        drop_reason as reason,
        duplicate_of,
        final_rank,
    from steps

    union all

    select
        hits.run_id,
        hits.query_id,
        'global' as path,
        'everything' as path_detail,
        hits.sentence_id,
        hits.rank as step_rank,
        hits.score,
        'kept' as status,
        null as reason,
        null as duplicate_of,
        hits.rank as final_rank,
    from hits
    inner join runs
        on hits.run_id = runs.run_id
    where
        runs.method != 'multi_path'
        and hits.rank is not null

    union all

    select
        run_id,
        query_id,
        'context' as path,
        '{{ setting("context_token_budget") }} tokens' as path_detail,
        sentence_id,
        rank as step_rank,
        score,
        if(reason is null, 'kept', 'dropped') as status,
        reason,
        null as duplicate_of,
        rank as final_rank,
    from candidates

),

final as (

    select
        runs.run_id,
        runs.suite,
        path_steps.query_id,
        runs.strategy,
        runs.embedding_model,
        path_steps.path,
        path_steps.path_detail,
        path_steps.sentence_id,
        path_steps.step_rank,
        path_steps.score,
        path_steps.status,
        path_steps.reason,
        path_steps.duplicate_of,
        path_steps.final_rank,
    from path_steps
    inner join runs
        on path_steps.run_id = runs.run_id

)

select * from final
