-- The evidence of one build for each rule, kept: a run that is still current in the next build adds nothing. A series is a
-- rule, the model that it watches and what it is held against, the frozen run of a baseline or its threshold; a baseline
-- frozen anew starts another. Runs of one series that are new together count one after the other.
with

statistics as (

    select * from {{ ref('int_alert_statistics') }}
    where e_value is not null

),

answer_alerts as (

    select * from {{ ref('int_answer_alerts') }}
    where e_value is not null

),

evidence as (

    select
        series_id,
        rule_id,
        run_id,
        e_value,
    from statistics

    union all

    select
        series_id,
        rule_id,
        run_id,
        e_value,
    from answer_alerts

),

stored as (

    {% if is_incremental() -%}
        select * from {{ this }}
    {%- else -%}
        select
            null::varchar as series_id,
            null::varchar as run_id,
            null::bigint as build_number,
        where false
    {%- endif %}

),

last_builds as (

    select
        series_id,
        max(build_number) as build_number,
    from stored
    group by series_id

),

new_builds as (

    select
        evidence.*,
        coalesce(last_builds.build_number, 0) + row_number() over (
            partition by evidence.series_id
            order by evidence.run_id
        ) as build_number,
    from evidence
    left join last_builds
        on evidence.series_id = last_builds.series_id
    left join stored
        on evidence.series_id = stored.series_id
        and evidence.run_id = stored.run_id
    where stored.run_id is null

),

alert_history as (

    select
        series_id,
        run_id,
        rule_id,
        build_number,
        e_value,
    from new_builds

)

select * from alert_history
