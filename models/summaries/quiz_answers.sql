with

answers as (

    select * from {{ ref('int_quiz_answers') }}
    where row_kind = 'answer'

),

final as (

    select
        answer_id,
        kind,
        set_id,
        question_id,
        question_no,
        text_id,
        reading,
        stated_answer,
        answer,
        outcome,
        reason,
        quotes,
        quote_score,
        model_id,
        provider,
        is_baseline,
        replicate,
        prompt_version,
        call_key,
        status,
        is_error,
        error,
    from answers

)

select * from final
