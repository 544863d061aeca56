-- Which of our own questions should somebody review first? Those rejected by one gate alone before those kept with little
-- confidence before the rest; questions that nobody has reviewed, first wordings only. Decisions go into
-- seeds/p3_reviews.csv.
with

verdicts as (

    select * from {{ ref('int_question_verdicts') }}
    where
        is_own
        and wording = 1
        and review_decision is null
        and verdict in ('kept', 'gate')

),

questions as (

    select * from {{ ref('p3_questions') }}

),

evidence as (

    select * from {{ ref('int_suite_evidence') }}

),

evidence_texts as (

    select
        question_key,
        string_agg(sentence_text, chr(10) order by evidence_rank) as evidence_text,
    from evidence
    group by question_key

),

queued as (

    select
        verdicts.question_id,
        verdicts.category,
        verdicts.difficulty,
        case
            when verdicts.verdict = 'gate' and len(verdicts.flags) = 1 then 'rejected by one gate'
            when verdicts.verdict = 'gate' then 'rejected by several gates'
            when questions.curation_confidence < 0.8 then 'kept with low confidence'
            else 'kept'
        end as why,
        verdicts.flags,
        questions.curation_confidence,
        verdicts.question_text,
        verdicts.answer_text,
        evidence_texts.evidence_text,
    from verdicts
    left join questions
        on verdicts.suite = questions.suite
        and verdicts.question_id = questions.question_id
    left join evidence_texts
        on verdicts.question_key = evidence_texts.question_key

),

final as (

    select
        row_number() over (
            order by
                list_position(
                    ['rejected by one gate', 'kept with low confidence', 'rejected by several gates', 'kept'], why
                ),
                curation_confidence,
                question_id
        ) as queue_position,
        *,
    from queued

)

select * from final
order by queue_position
