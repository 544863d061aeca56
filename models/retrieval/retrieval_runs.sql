-- Runs over anchors and runs over questions. Of a current run whose hits were made elsewhere, what its files held: a suite
-- is covered as soon as a file names one of its queries.
with

runs as (

    select * from {{ ref('int_anchor_runs') }}

    union all by name

    select * from {{ ref('int_question_runs') }}

),

external_rows as (

    select * from {{ ref('int_anchor_external_rows') }}

    union all

    select * from {{ ref('int_question_external_rows') }}

),

external_files as (

    select * from external_rows
    where kind = 'run'

),

problem_counts as (

    select
        external_run,
        regime,
        count(*) as problem_count,
    from external_rows
    where kind = 'problem'
    group by external_run, regime

),

final as (

    select
        runs.*,
        external_files.query_count,
        external_files.answered_query_count,
        external_files.failed_query_count,
        external_files.row_count,
        external_files.hit_count,
        if(external_files.external_run is null, null, coalesce(problem_counts.problem_count, 0)) as problem_count,
    from runs
    left join external_files
        on runs.is_external
        and runs.is_current
        and runs.strategy = external_files.external_run
        and runs.regime = external_files.regime
        and runs.suite = external_files.suite
    left join problem_counts
        on external_files.external_run = problem_counts.external_run
        and external_files.regime = problem_counts.regime

)

select * from final
