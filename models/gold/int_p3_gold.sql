-- The evidence that is in the corpus, as what retrieval should find: all of it, and what was chosen (grade 2) alone.
with

evidence as (

    select * from {{ ref('p3_evidence') }}
    where grade > 0

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

)

select * from final
