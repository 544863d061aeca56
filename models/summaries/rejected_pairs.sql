with

pairs as (

    select * from {{ ref('int_summary_pairs') }}

),

rejected_pairs as (

    select
        dataset,
        file_path,
        source_row,
        system,
        problem,
        detail,
    from pairs
    where kind = 'problem'

)

select * from rejected_pairs
