with

questions as (

    select * from {{ ref('p3_questions') }}

),

evidence as (

    select * from {{ ref('int_suite_evidence') }}

),

final as (

    select
        evidence.question_id,
        evidence.suite,
        coalesce(evidence.sentence_id, evidence.stated_sentence_id) as sentence_id,
        evidence.sentence_id is not null as in_corpus,
        evidence.stated_sentence_id,
        evidence.matched_by,
        evidence.evidence_rank,
        2 as grade,
    from evidence
    inner join questions
        on evidence.suite = questions.suite
        and evidence.question_id = questions.question_id
    -- two stated ids can be one sentence
    qualify row_number() over (
            partition by evidence.question_key, coalesce(evidence.sentence_id, evidence.stated_sentence_id)
            order by evidence.evidence_rank
        ) = 1

)

select * from final
