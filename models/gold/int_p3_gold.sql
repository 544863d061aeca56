-- The evidence that is in the corpus, as what retrieval should find: all of it, what was chosen (grade 2) alone, and, of
-- suites that name pages or judge documents, all of it with what else stands there, by its judgement.
with

evidence as (

    select * from {{ ref('p3_evidence') }}
    where grade > 0

),

questions as (

    select * from {{ ref('p3_questions') }}

),

page_evidence as (

    select * from {{ ref('int_page_evidence') }}

),

paged_suites as (

    select distinct suite
    from page_evidence

),

on_pages as (

    select
        suite,
        query_id,
        sentence_id,
        grade,
    from evidence
    where suite in (select paged_suites.suite from paged_suites)

    union all

    select
        questions.suite,
        questions.query_id,
        page_evidence.sentence_id,
        page_evidence.grade,
    from page_evidence
    inner join questions
        on page_evidence.question_key = questions.query_id
    anti join evidence
        on page_evidence.question_key = evidence.query_id
        and page_evidence.sentence_id = evidence.sentence_id

),

final as (

    select
        suite,
        query_id,
        'none' as gold_window,
        'evidence' as gold_predicate,
        sentence_id,
        grade,
    from evidence

    union all

    select
        suite,
        query_id,
        'none' as gold_window,
        'chosen' as gold_predicate,
        sentence_id,
        grade,
    from evidence
    where grade = 2

    union all

    select
        suite,
        query_id,
        'none' as gold_window,
        'page' as gold_predicate,
        sentence_id,
        grade,
    from on_pages

)

select * from final
