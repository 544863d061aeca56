with

questions as (

    select * from {{ ref('int_quiz_questions') }}

),

final as (

    select
        question_id,
        set_id,
        kind,
        origin,
        text_id,
        source_id,
        question_no,
        question_text,
        key,
        option_a,
        option_b,
        option_c,
        option_d,
        change,
        evidence_quote,
        evidence_found,
        evidence_sentence_ids,
        problem,
        wanted_count,
        model_id,
        provider,
        is_baseline,
        prompt_version,
        call_key,
        status,
        error,
    from questions

)

select * from final
