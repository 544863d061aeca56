-- True or false statements with their key, judged by the text that they were not written from: those of a source by a
-- summary, and, as a measure of its own, those of a summary by its source. A verdict that a reply lacks, or whose
-- quote is not in the text, counts as Uncertain.
with

items as (

    select * from {{ ref('int_quiz_items') }}
    where kind = 'statement'

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
        question_text as statement_text,
        change,
        key,
        if(origin = 'source', summary_answer, source_answer) as verdict,
        if(origin = 'source', summary_outcome, source_outcome) as outcome,
        if(origin = 'source', summary_reason, source_reason) as reason,
        if(origin = 'source', summary_quotes, source_quotes) as quotes,
        problem,
        true as is_covered,
        is_error,
    from items

),

judged as (

    select
        * replace (if(is_error, null, verdict) as verdict),
        if(is_error, null, verdict = key) as is_correct,
        if(is_error, null, verdict = 'Uncertain') as is_uncertain,
    from scored

),

{{ unstored_runs('judged') }}

select * from unstored
