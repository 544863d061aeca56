-- True or false statements with their key, judged by the text that they were not written from: those of a source by a
-- summary, and, as a measure of its own, those of a summary by its source. A verdict that a reply lacks, or whose quote is
-- not in the text, counts as Uncertain.
with

items as (

    select * from {{ ref('int_quiz_items') }}
    where kind = 'statement'

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
        items.question_text as statement_text,
        items.change,
        items.key,
        if(items.origin = 'source', items.summary_answer, items.source_answer) as verdict,
        if(items.origin = 'source', items.summary_outcome, items.source_outcome) as outcome,
        if(items.origin = 'source', items.summary_reason, items.source_reason) as reason,
        if(items.origin = 'source', items.summary_quotes, items.source_quotes) as quotes,
        items.problem,
        true as is_covered,
        items.is_error,
    from items
    inner join runs
        on items.run_id = runs.run_id

),

judged as (

    select
        * replace (if(is_error, null, verdict) as verdict),
        if(is_error, null, verdict = key) as is_correct,
        if(is_error, null, verdict = 'Uncertain') as is_uncertain,
    from scored

),

versioned as (

    select
        *,
        md5(bit_xor(hash(judged)) over (partition by run_id)::varchar) as metrics_version,
    from judged

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
