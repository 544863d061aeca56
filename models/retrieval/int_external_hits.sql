with

external_rows as (

    select * from {{ ref('int_external_rows') }}

),

final as (

    select
        external_run,
        regime,
        suite,
        query_id,
        sentence_id,
        raw_rank,
        rank,
        score,
        null::float as distance,
        is_query_sentence,
        file_path,
        content_checksum,
    from external_rows
    where kind = 'hit'

)

select * from final
