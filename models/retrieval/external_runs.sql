with

external_rows as (

    select * from {{ ref('int_anchor_external_rows') }}

    union all

    select * from {{ ref('int_question_external_rows') }}

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
        external_rows.external_run,
        external_rows.regime,
        external_rows.suite,
        external_rows.query_count,
        external_rows.answered_query_count,
        external_rows.failed_query_count,
        external_rows.row_count,
        external_rows.hit_count,
        coalesce(problem_counts.problem_count, 0) as problem_count,
        external_rows.content_checksum,
    from external_rows
    left join problem_counts
        on external_rows.external_run = problem_counts.external_run
        and external_rows.regime = problem_counts.regime
    where external_rows.kind = 'run'

)

select * from final
