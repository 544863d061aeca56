with

run_history as (

    select * from {{ ref('int_anchor_run_history') }}

),

planned_runs as (

    select * from {{ ref('int_anchor_planned_runs') }}

),

final as (

    select
        run_history.run_id,
        run_history.suite,
        run_history.regime,
        run_history.filter_columns,
        run_history.strategy,
        run_history.method,
        run_history.parameters,
        run_history.embedding_model,
        run_history.fingerprint,
        run_history.index_checksum,
        run_history.corpus_version,
        run_history.gold_version,
        run_history.is_external,
        planned_runs.run_id is not null as is_current,
        run_history.built_at,
    from run_history
    left join planned_runs
        on run_history.run_id = planned_runs.run_id

)

select * from final
