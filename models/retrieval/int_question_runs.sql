with

run_history as (

    select * from {{ ref('int_question_run_history') }}

),

planned_runs as (

    select * from {{ ref('int_question_planned_runs') }}

),

final as (

    select
        run_history.* exclude (built_at),
        planned_runs.run_id is not null as is_current,
        run_history.built_at,
    from run_history
    left join planned_runs
        on run_history.run_id = planned_runs.run_id

)

select * from final
