-- Evidence of suites that stands nowhere in the filings that its question is about, with the best score of a sentence, and
-- pages and documents that a suite names and the corpus does not have, without one.
with

pieces as (

    select
        suite,
        file_path,
        source_row,
        question_id,
        unnest(
            from_json(unfound, '[{"piece": "varchar", "best_score": "double", "detail": "varchar"}]'), recursive := true
        ),
    from {{ ref('int_external_questions') }}
    where
        reason is null
        and unfound is not null

),

final as (

    select
        suite,
        file_path,
        source_row,
        question_id,
        piece,
        best_score,
        'evidence_not_found' as reason,
        detail,
    from pieces

)

select * from final
