with

external_answers as (

    select * from {{ ref('int_external_answers') }}

),

problems as (

    select
        external_run,
        file_path,
        source_row,
        problem,
        question_text,
        detail,
    from external_answers
    where kind = 'problem'

)

select * from problems
