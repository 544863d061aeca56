-- Closed questions put to a source and to a summary of it. Questions of the source measure inclusion, those of the
-- summary alignment: the share whose two answers are the same yes or no. idk is no agreement, also where both say it;
-- so are answers that a reply lacks (unmatched) or whose quote is not in the text that was read (voided). They stay
-- in the denominator and are reported apart. A failed call is an error, in no share.
with

items as (

    select * from {{ ref('int_quiz_items') }}
    where kind = 'closed_question'

),

compared as (

    select
        *,
        source_outcome = 'answered' and summary_outcome = 'answered' as is_answered,
        source_answer = summary_answer as is_same,
    from items

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
        source_answer,
        source_outcome,
        source_reason,
        source_quotes,
        summary_answer,
        summary_outcome,
        summary_reason,
        summary_quotes,
        problem,
        true as is_covered,
        is_error,
        if(is_error, null, is_answered and is_same) as is_equal,
        if(is_error or not is_answered, null, is_same) as is_equal_of_answered,
        if(is_error, null, 'undecided' in (source_outcome, summary_outcome)) as is_idk,
        if(is_error, null, 'unmatched' in (source_outcome, summary_outcome)) as is_unmatched,
        if(is_error, null, 'voided' in (source_outcome, summary_outcome)) as is_voided,
    from compared

),

{{ unstored_runs('scored') }}

select * from unstored
