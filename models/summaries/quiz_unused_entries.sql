with

entries as (

    select * from {{ ref('int_quiz_answers') }}
    where row_kind = 'unused'

),

final as (

    select
        answer_id as entry_id,
        kind,
        set_id,
        question_id,
        text_id,
        reading,
        stated_answer,
        reason,
        quotes,
        model_id,
        replicate,
        call_key,
    from entries

)

select * from final
