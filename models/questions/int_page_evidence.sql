-- What stands on the pages that a suite names for its evidence: of a document with pages, every sentence that begins there.
with

external_questions as (

    select
        suite,
        question_id,
        unnest(from_json(pages, '[{"filing_id": "varchar", "page_no": "integer"}]'), recursive := true),
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
    where
        page_no is not null
        and sentence_kind not in ('heading', 'index_line')

),

final as (

    select distinct
        questions.question_key,
        questions.suite,
        sentences.sentence_id,
    from external_questions
    inner join questions
        on external_questions.suite = questions.suite
        and external_questions.question_id = questions.question_id
    inner join sentences
        on external_questions.filing_id = sentences.filing_id
        and external_questions.page_no = sentences.page_no

)

select * from final
