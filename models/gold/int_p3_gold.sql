-- The evidence that is in the corpus, as what retrieval should find.
with

evidence as (

    select * from {{ ref('p3_evidence') }}
    where in_corpus

),

final as (

    select
        suite,
        suite || ':' || question_id as query_id,
        'none' as gold_window,
        'evidence' as gold_predicate,
        sentence_id,
    from evidence

)

select * from final
