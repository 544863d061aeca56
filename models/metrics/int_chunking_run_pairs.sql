-- Chunkings that are compared, on the same questions with the same embedding model, b against a: the reference of the
-- primary endpoint before the others, which stand as their names sort.
with

runs as (

    select * from {{ ref('int_chunking_runs') }}

),

reference_chunkings as (

    select distinct strategy as chunking
    from {{ ref('primary_endpoints') }}
    where compared = 'chunkings'

),

ordered as (

    select
        *,
        chunking in (select reference_chunkings.chunking from reference_chunkings) as is_reference,
    from runs

),

final as (

    select
        md5(concat_ws(':', 'chunking', a.run_id, b.run_id)) as comparison_id,
        'chunking' as comparison_kind,
        a.suite,
        a.run_id as run_id_a,
        b.run_id as run_id_b,
        a.chunking as chunking_a,
        b.chunking as chunking_b,
        a.embedding_model,
        a.is_reference,
    from ordered as a
    inner join ordered as b
        on
        a.suite = b.suite
        and a.embedding_model = b.embedding_model
        and (not a.is_reference, a.chunking) < (not b.is_reference, b.chunking)

)

select * from final
