-- depends_on: {{ ref('int_question_hits') }}
-- Runs whose hits are in the warehouse. A run enters once its hits are there, and stays.
with

planned_runs as (

    select * from {{ ref('int_question_planned_runs') }}

),

new_runs as (

    select
        *,
        current_timestamp::timestamp as built_at,
    from planned_runs
    {% if is_incremental() -%}
    where run_id not in (select run_id from {{ this }})
    {%- endif %}

)

select * from new_runs
