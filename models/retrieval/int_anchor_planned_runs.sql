-- An anchor names no entities, which are what multi_path filters by.
with

gold_versions as (

    select * from {{ ref('int_anchor_gold_versions') }}
    where query_count > 0

),

external_retrievers as (

    select * from {{ ref('int_anchor_external_rows') }}
    where kind = 'run'

),

input_versions as (

    select
        suite,
        '' as input_version,
    from gold_versions

),

{{ planned_runs("strategies.method not in ('multi_path', 'gold', 'gold_filings')") }}

select * from final
