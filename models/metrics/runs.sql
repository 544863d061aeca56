-- What a run_id stands for, whatever was run. Nothing inside reads this: each task reads its own runs.
with

all_runs as (

    select * from {{ ref('int_all_runs') }}

),

first_builds as (

    select * from {{ ref('int_first_builds') }}

),

calibrated_judges as (

    select * from {{ ref('int_calibrated_judges') }}

),

runs as (

    select
        all_runs.run_id,
        all_runs.task,
        all_runs.suite,
        all_runs.dataset,
        all_runs.system,
        all_runs.model_id,
        all_runs.strategy,
        all_runs.regime,
        all_runs.embedding_model,
        all_runs.judge_model,
        case
            when all_runs.judge_model = 'none' then 'none'
            when all_runs.judge_model in (select calibrated_judges.judge_model from calibrated_judges) then 'calibrated'
            else 'uncalibrated'
        end as judge_calibration,
        all_runs.question_model,
        all_runs.replicate,
        all_runs.is_baseline,
        all_runs.is_current,
        first_builds.first_built_at,
    from all_runs
    inner join first_builds
        on all_runs.run_id = first_builds.run_id

)

select * from runs
