-- Multiple-choice questions of a source, answered from a summary and without any text. What can be answered without the
-- text says nothing about the summary (leak); one of four is right by chance. An answer of none, one that the reply lacks
-- and one whose quote is not in the summary are wrong.
with

items as (

    select * from {{ ref('int_quiz_items') }}
    where kind = 'choice'

),

runs as (

    select * from {{ ref('quiz_runs') }}

),

scored as (

    select
        items.item_id,
        items.run_id,
        runs.suite,
        runs.regime,
        runs.strategy,
        runs.embedding_model,
        items.dataset,
        items.source_id,
        items.length_stratum,
        items.question_model,
        items.judge_model,
        items.replicate,
        items.is_baseline,
        items.origin,
        items.set_id,
        items.question_id,
        items.question_no,
        items.question_text,
        items.key,
        items.summary_answer as choice,
        items.summary_outcome as outcome,
        items.summary_reason as reason,
        items.summary_quotes as quotes,
        items.none_answer as choice_without_text,
        items.none_outcome as outcome_without_text,
        items.problem,
        true as is_covered,
        items.is_error,
        if(items.is_error, null, items.summary_answer = items.key) as is_correct,
        if(items.is_error, null, items.none_answer = items.key) as is_correct_without_text,
        if(items.is_error, null, items.summary_answer = 'none') as is_abstention,
        if(items.is_error, null, 0.25::double) as chance,
    from items
    inner join runs
        on items.run_id = runs.run_id

),

versioned as (

    select
        *,
        md5(bit_xor(hash(scored)) over (partition by run_id)::varchar) as metrics_version,
    from scored

),

changed as (

    select * from versioned
    {% if is_incremental() -%}
    where (run_id, metrics_version) not in (
        select (stored.run_id, stored.metrics_version) from {{ this }} as stored
    )
    {%- endif %}

)

select * from changed
