-- Every question of this build put to every summary that it concerns, once for each model that answers: what was
-- answered from the source, from the summary, and without a text. Questions of a source concern all its summaries,
-- those of a summary only that one. An item is an error where its summary failed, where the writing of its questions
-- failed (question_no 0), or where a call failed that it needs:
--   closed_question    the source's answers and the summary's
--   statement          the answers by the text that the statement was not written from
--   choice             the summary's answers and those without a text
-- run_id is a hash of what decides the items of a kind and a summariser: all questions with their keys, and all
-- answers.
with

whole_summaries as (

    select * from {{ ref('int_whole_summaries') }}

),

sources as (

    select * from {{ ref('sources') }}

),

all_questions as (

    select * from {{ ref('int_quiz_questions') }}

),

answers as (

    select * from {{ ref('int_quiz_answers') }}
    where row_kind = 'answer'

),

questions as (

    select * from all_questions
    where problem is null
        or problem = 'call_failed'

),

writers as (

    select distinct
        kind,
        origin,
        model_id,
        is_baseline,
    from questions

),

-- without any answer, all questions failed to be written
judges as (

    select distinct
        kind,
        model_id,
        is_baseline,
        replicate,
    from answers

    union all

    select distinct
        kind,
        'none' as model_id,
        false as is_baseline,
        1 as replicate,
    from questions
    where kind not in (select answers.kind from answers)

),

asked as (

    select
        whole_summaries.dataset,
        whole_summaries.source_id,
        whole_summaries.system,
        whole_summaries.replicate,
        whole_summaries.provider,
        whole_summaries.is_baseline,
        whole_summaries.is_error as is_summary_error,
        whole_summaries.text_id as summary_text_id,
        questions.kind,
        questions.origin,
        questions.set_id,
        questions.question_id,
        questions.question_no,
        questions.question_text,
        questions.key,
        questions.change,
        questions.problem,
        questions.model_id as question_model,
        questions.is_baseline as question_is_baseline,
    from whole_summaries
    inner join questions
        on whole_summaries.source_id = questions.source_id
        and (questions.origin = 'source' or whole_summaries.text_id = questions.text_id)

    union all

    -- a summary that failed has no questions of its own, which is one error for each writer
    select
        whole_summaries.dataset,
        whole_summaries.source_id,
        whole_summaries.system,
        whole_summaries.replicate,
        whole_summaries.provider,
        whole_summaries.is_baseline,
        whole_summaries.is_error as is_summary_error,
        whole_summaries.text_id as summary_text_id,
        writers.kind,
        writers.origin,
        null as set_id,
        whole_summaries.text_id || '-' || writers.model_id as question_id,
        0 as question_no,
        null as question_text,
        null as key,
        null as change,
        'summary_failed' as problem,
        writers.model_id as question_model,
        writers.is_baseline as question_is_baseline,
    from whole_summaries
    inner join sources
        on whole_summaries.source_id = sources.source_id
    inner join writers
        on writers.origin = 'summary'
    where whole_summaries.is_error

),

answered as (

    select
        asked.*,
        sources.length_stratum,
        judges.model_id as judge_model,
        judges.is_baseline as judge_is_baseline,
        judges.replicate as judge_replicate,
        by_source.answer as source_answer,
        by_source.outcome as source_outcome,
        by_source.reason as source_reason,
        by_source.quotes as source_quotes,
        by_source.is_error as is_source_call_error,
        by_source.call_key as source_call_key,
        by_summary.answer as summary_answer,
        by_summary.outcome as summary_outcome,
        by_summary.reason as summary_reason,
        by_summary.quotes as summary_quotes,
        by_summary.is_error as is_summary_call_error,
        by_summary.call_key as summary_call_key,
        without_text.answer as none_answer,
        without_text.outcome as none_outcome,
        without_text.is_error as is_none_call_error,
        without_text.call_key as none_call_key,
        asked.kind = 'closed_question' or (asked.kind = 'statement' and asked.origin = 'summary') as needs_source,
        asked.kind != 'statement' or asked.origin = 'source' as needs_summary,
        asked.kind = 'choice' as needs_none,
    from asked
    inner join sources
        on asked.source_id = sources.source_id
    inner join judges
        on asked.kind = judges.kind
    left join answers as by_source
        on asked.question_id = by_source.question_id
        and asked.source_id = by_source.text_id
        and by_source.reading = 'source'
        and judges.model_id = by_source.model_id
        and judges.replicate = by_source.replicate
    left join answers as by_summary
        on asked.question_id = by_summary.question_id
        and asked.summary_text_id = by_summary.text_id
        and by_summary.reading = 'summary'
        and judges.model_id = by_summary.model_id
        and judges.replicate = by_summary.replicate
    left join answers as without_text
        on asked.question_id = without_text.question_id
        and without_text.reading = 'none'
        and judges.model_id = without_text.model_id
        and judges.replicate = without_text.replicate

),

checked as (

    select
        *,
        is_summary_error
        or problem is not null
        or (needs_source and coalesce(is_source_call_error, true))
        or (needs_summary and coalesce(is_summary_call_error, true))
        or (needs_none and coalesce(is_none_call_error, true)) as is_error,
    from answered

),

with_runs as (

    select
        *,
        md5(concat_ws(
            '|',
            kind,
            dataset,
            system,
            replicate,
            question_model,
            judge_model,
            judge_replicate,
            bit_xor(hash(
                source_id,
                question_id,
                question_text,
                key,
                summary_text_id,
                source_call_key,
                summary_call_key,
                none_call_key,
                is_error
            )) over (
                partition by kind, dataset, system, replicate, question_model, judge_model, judge_replicate
            )
        ))[:16] as run_id,
    from checked

),

items as (

    select
        md5(concat_ws('|', run_id, source_id, question_id)) as item_id,
        *,
    from with_runs

)

select * from items
