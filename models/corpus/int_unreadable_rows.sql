-- Rows of files that are loaded without them, in the order of the file.
with

source_files as (

    select * from {{ ref('source_files') }}

),

files as (

    select
        layout,
        file_path,
        unreadable_rows,
        unnest(json_keys(unreadable_rows)) as row_number,
    from source_files
    where
        status = 'loaded'
        and unreadable_rows is not null

),

rows_of_files as (

    select
        layout as source,
        file_path,
        row_number::bigint as source_row,
        json_extract_string(unreadable_rows, '$."' || row_number || '"') as fault,
    from files

)

select * from rows_of_files
