-- Where a suite says that the evidence of a question stands: pages and documents of the corpus. grade is the suite's
-- judgement, the highest of several, 2 for 2 and more, as there are two grades of gold; what is only named is 1. A suite
-- that quotes nothing judges a place by naming it, and has no other gold.
with

external_questions as (

    select
        suite,
        question_id,
        unnest(
            from_json(pages, '[{"filing_id": "varchar", "page_no": "integer", "grade": "integer"}]'), recursive := true
        ),
    from {{ ref('int_external_questions') }}
    where
        reason is null
        and pages is not null

),

questions as (

    select * from {{ ref('int_suite_questions') }}

),

-- A text that stands nowhere is among the ids, as it is stated: its suite quotes, though nothing of it is found.
quoting_suites as (

    select distinct suite
    from questions
    where len(evidence_sentence_ids) > 0

),

final as (

    select
        questions.question_key,
        questions.suite,
        external_questions.filing_id,
        external_questions.page_no,
        least(max(coalesce(external_questions.grade, 1)), 2) as grade,
        bool_or(quoting_suites.suite is null) as is_judged_alone,
        is_judged_alone or bool_or(external_questions.grade is not null) as is_judged,
    from external_questions
    inner join questions
        on external_questions.suite = questions.suite
        and external_questions.question_id = questions.question_id
    left join quoting_suites
        on questions.suite = quoting_suites.suite
    group by
        questions.question_key,
        questions.suite,
        external_questions.filing_id,
        external_questions.page_no

)

select * from final
