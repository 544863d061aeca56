-- Everything that was found against a question, ours or an external one, by whatever gate. is_dropped: the question is
-- not in p3_questions; of an external suite that happens only to questions that do not fit the schema.
with

verdicts as (

    select * from {{ ref('int_question_verdicts') }}

),

evidence_findings as (

    select * from {{ ref('int_gates_on_evidence') }}

),

wording_findings as (

    select * from {{ ref('int_gates_on_wording') }}

),

written_questions as (

    select * from {{ ref('int_written_questions') }}

),

external_questions as (

    select * from {{ ref('int_external_questions') }}

),

findings as (

    select * from evidence_findings

    union all

    select * from wording_findings

),

gated as (

    select
        verdicts.question_id,
        verdicts.suite,
        verdicts.category,
        findings.gate,
        findings.reason,
        verdicts.question_text,
        findings.detail,
        verdicts.verdict != 'kept' as is_dropped,
    from findings
    inner join verdicts
        on findings.question_key = verdicts.question_key

),

set_aside as (

    select
        question_id,
        suite,
        category,
        verdict as gate,
        case verdict
            when 'review' then 'Rejected by a reviewer'
            when 'over_quota' then 'The category has enough questions that come earlier in the draw'
            else 'The first wording of the question was rejected'
        end as reason,
        question_text,
        case when verdict = 'review' then reviewer || ': ' || review_reason end as detail,
        true as is_dropped,
    from verdicts
    where verdict in ('review', 'over_quota', 'first_wording_rejected')

),

unwritten as (

    select
        question_id,
        suite,
        category,
        'not_written' as gate,
        'The language model gave no question: ' || status as reason,
        null as question_text,
        error as detail,
        true as is_dropped,
    from written_questions
    where status not in ('ok', 'repaired')

),

misfits as (

    select
        question_id,
        suite,
        null as category,
        'invalid_schema' as gate,
        'The question does not fit the schema' as reason,
        record::json ->> '$.question_text' as question_text,
        detail,
        true as is_dropped,
    from external_questions
    where reason is not null

),

final as (

    select * from gated

    union all

    select * from set_aside

    union all

    select * from unwritten

    union all

    select * from misfits

)

select * from final
