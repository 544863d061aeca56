with

calibration_rows as (

    select * from {{ ref('int_calibration_rows') }}
    where reason is null

),

int_calibration_summaries as (

    select
        dataset || ':' || source_id as summary_id,
        dataset,
        dataset = 'demo' as is_demo,
        layout,
        source_id,
        dataset || ':' || document_id as document_id,
        system,
        source_text,
        reference_text,
        summary_text,
        file_path,
        source_row,
    from calibration_rows

)

select * from int_calibration_summaries
