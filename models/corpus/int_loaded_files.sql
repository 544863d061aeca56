-- file_version changes with a file's bytes and with whatever decides how the file is read.
with

source_files as (

    select * from {{ ref('source_files') }}

),

loaded_files as (

    select
        file_path,
        layout,
        level,
        row_count,
        splitter_version,
        concat_ws('|', fingerprint, layout, splitter_version) as file_version,
    from source_files
    where
        status = 'loaded'
        and level in ('sentence', 'filing')

)

select * from loaded_files
