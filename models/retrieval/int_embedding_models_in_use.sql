with

embedded_texts as (

    select * from {{ ref('int_embedded_texts') }}

),

final as (

    select
        model_id,
        model_name,
        revision,
        fingerprint,
        dimension,
        precision,
        text_count,
        embedded_count,
        computed_count,
        missing_count,
        truncated_count,
        rejected_count,
        normalised_count,
        checksum,
        store_path,
    from embedded_texts

)

select * from final
