{#
    Runs of a kind whose hits are in the warehouse: the planned ones that are new are added to those of earlier builds. The
    hits are named for their order alone: a run enters once they are there, also where it found nothing.

    planned, hits: names of the models.
#}
{% macro run_history(planned, hits) -%}
{%- do ref(hits) -%}
with

planned_runs as (

    select * from {{ ref(planned) }}

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
{%- endmacro %}


{#
    The runs of all builds. A run is current where this build plans it.

    history, planned: names of the models.
#}
{% macro runs_of_history(history, planned) -%}
with

run_history as (

    select * from {{ ref(history) }}

),

planned_runs as (

    select * from {{ ref(planned) }}

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
{%- endmacro %}
