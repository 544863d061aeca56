-- When each run was first built. A run enters once and stays.
with

all_runs as (

    select * from {{ ref('int_all_runs') }}

),

new_runs as (

    select
        run_id,
        coalesce(built_at, current_timestamp::timestamp) as first_built_at,
    from all_runs
    {% if is_incremental() -%}
    where run_id not in (select stored.run_id from {{ this }} as stored)
    {%- endif %}

)

select * from new_runs
