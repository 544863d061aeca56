with

external_rows as (

    select * from {{ ref('int_anchor_external_rows') }}

    union all

    select * from {{ ref('int_question_external_rows') }}

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
