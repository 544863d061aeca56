with

calibration_rows as (

    select * from {{ ref('int_calibration_rows') }}
    where kind = 'rejected'

),

rejected_calibration_rows as (

    select
        dataset,
        file_path,
        source_row,
        source_id,
        reason,
        detail,
    from calibration_rows

)

select * from rejected_calibration_rows
