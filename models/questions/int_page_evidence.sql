-- What stands where a suite says that its evidence does: of a page every sentence that begins there, of a document that is
-- judged as a whole every sentence. Its grade is the suite's judgement, the highest of several, 2 for 2 and more, as there
-- are two grades of gold; a page that is named is 1.
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

sentences as (

    select * from {{ ref('fct_sentences') }}
    where sentence_kind not in ('heading', 'index_line')

),

final as (

    select
        questions.question_key,
        questions.suite,
        sentences.sentence_id,
        least(max(coalesce(external_questions.grade, 1)), 2) as grade,
    from external_questions
    inner join questions
        on external_questions.suite = questions.suite
        and external_questions.question_id = questions.question_id
    inner join sentences
        on external_questions.filing_id = sentences.filing_id
        and (external_questions.page_no is null or external_questions.page_no = sentences.page_no)
    group by
        questions.question_key,
        questions.suite,
        sentences.sentence_id

)

select * from final
