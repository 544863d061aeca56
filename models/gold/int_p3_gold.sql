-- The evidence that is in the corpus, as what retrieval should find: all of it, what was chosen (grade 2) alone, and, of
-- suites that name pages or judge documents, all of it with what else stands there, by its judgement. Under the predicate
-- place the pages and documents themselves are gold, gold_window saying which: what such suites rank.
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

named_places as (

    select * from {{ ref('int_named_places') }}

),

sentence_places as (

    select * from {{ ref('int_sentence_places') }}

),

corpus_places as (

    select distinct
        filing_id,
        page_no,
        unit,
        place_id,
    from sentence_places
    where filing_id in (select named_places.filing_id from named_places)

),

-- A page that is named names its document, too.
ranked_places as (

    select
        questions.suite,
        questions.query_id,
        corpus_places.unit as gold_window,
        'place' as gold_predicate,
        corpus_places.place_id as sentence_id,
        max(named_places.grade) as grade,
    from named_places
    inner join questions
        on named_places.question_key = questions.query_id
    inner join corpus_places
        on named_places.filing_id = corpus_places.filing_id
        and (corpus_places.unit = 'document' or named_places.page_no = corpus_places.page_no)
    group by
        questions.suite,
        questions.query_id,
        corpus_places.unit,
        corpus_places.place_id

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

    union all

    select * from ranked_places

)

select * from final
