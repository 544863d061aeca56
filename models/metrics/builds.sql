-- A build enters with what it was asked for and what it found; how it ended is written when dbt ends (finish_build). Its
-- figures stand in metrics.build_values. git_commit and version are what `finrag build` says; dbt alone does not know them.
with

runs as (

    select * from {{ ref('int_all_runs') }}

),

first_builds as (

    select * from {{ ref('int_first_builds') }}

),

retrieval_runs as (

    select * from {{ ref('retrieval_runs') }}

),

filings as (

    select * from {{ ref('dim_filings') }}

),

queries as (

    select * from {{ ref('retrieval_queries') }}

),

this_build as (

    select
        '{{ invocation_id }}' as build_id,
        '{{ run_started_at }}'::timestamptz as started_at,
        null::timestamptz as finished_at,
        null::bigint as n_failed,
        nullif('{{ env_var("BUILD_VERSION", "") }}', '') as version,
        nullif('{{ env_var("BUILD_COMMIT", "") }}', '') as git_commit,
        {{ sql_strings([tojson(invocation_args_dict.get('vars', {}), sort_keys=true)]) }} as variables,
        {{ sql_strings([env_var('FINRAG_SETTINGS', '{}')]) }} as settings,
        (select max(corpus_version) from retrieval_runs where is_current) as corpus_version,
        (select count(*) from filings) as n_filings,
        (select count(*) from queries) as n_queries,
        (select count(*) from runs where is_current) as n_runs,
        (
            select count(*) from runs
            inner join first_builds
                on runs.run_id = first_builds.run_id
            where runs.is_current and first_builds.first_built_at >= '{{ run_started_at }}'::timestamptz::timestamp
        ) as n_new_runs,

)

select * from this_build
