with

external_rows as (

    select * from {{ ref('int_external_rows') }}

),

final as (

    select
        external_run,
        regime,
        file_path,
        problem,
        query_id,
        sentence_id,
        source_row,
        detail,
    from external_rows
    where kind = 'problem'

)

select * from final
