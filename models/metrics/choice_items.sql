-- Multiple-choice questions of a source, answered from a summary and without any text. What can be answered without
-- the text says nothing about the summary (leak); one of four is right by chance. An answer of none, one that the
-- reply lacks and one whose quote is not in the summary are wrong.
with

items as (

    select * from {{ ref('int_quiz_items') }}
    where kind = 'choice'

),

scored as (

    select
        item_id,
        run_id,
        dataset,
        system,
        provider,
        is_baseline,
        replicate,
        source_id,
        length_stratum,
        question_model,
        question_is_baseline,
        judge_model,
        judge_is_baseline,
        judge_replicate,
        origin,
        set_id,
        question_id,
        question_no,
        question_text,
        key,
        summary_answer as choice,
        summary_outcome as outcome,
        summary_reason as reason,
        summary_quotes as quotes,
        none_answer as choice_without_text,
        none_outcome as outcome_without_text,
        problem,
        true as is_covered,
        is_error,
        if(is_error, null, summary_answer = key) as is_correct,
        if(is_error, null, none_answer = key) as is_correct_without_text,
        if(is_error, null, summary_answer = 'none') as is_abstention,
        if(is_error, null, 0.25::double) as chance,
    from items

),

{{ unstored_runs('scored') }}

select * from unstored
