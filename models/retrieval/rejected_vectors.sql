with

int_rejected_vectors as (

    select * from {{ ref('int_rejected_vectors') }}

),

final as (

    select
        model_id,
        file_path,
        source_row,
        key_column,
        key,
        reason,
    from int_rejected_vectors

)

select * from final
