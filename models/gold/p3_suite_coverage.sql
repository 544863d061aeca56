-- A question is covered where one gold sentence of its evidence is in the corpus. An id that several questions name counts
-- once, as in the corpus by id where it is for any of them, else by text.
with

questions as (

    select * from {{ ref('p3_questions') }}

),

evidence as (

    select evidence.*
    from {{ ref('int_suite_evidence') }} as evidence
    -- without candidates that came into no suite
    semi join questions
        on evidence.suite = questions.suite
        and evidence.question_id = questions.question_id

),

gold_counts as (

    select * from {{ ref('int_question_gold_counts') }}
    {{ by_evidence('query_id') }}

),

evidence_ids as (

    select
        suite,
        bool_or(matched_by = 'id') as is_by_id,
        bool_or(matched_by = 'text') as is_by_text,
    from evidence
    group by suite, stated_sentence_id

),

id_counts as (

    select
        suite,
        count(*) as evidence_id_count,
        count(*) filter (where is_by_id) as in_corpus_by_id,
        count(*) filter (where is_by_text and not coalesce(is_by_id, false)) as in_corpus_by_text,
    from evidence_ids
    group by suite

),

question_counts as (

    select
        questions.suite,
        questions.is_own,
        count(*) as question_count,
        count(*) filter (where questions.answer_type = 'no_answer') as no_answer_count,
        count(*) filter (where gold_counts.is_covered) as covered_question_count,
        count(*) filter (where len(questions.flags) > 0) as flagged_question_count,
    from questions
    left join gold_counts
        on questions.query_id = gold_counts.query_id
    group by questions.suite, questions.is_own

),

final as (

    select
        question_counts.suite,
        question_counts.is_own,
        question_counts.question_count,
        question_counts.no_answer_count,
        question_counts.covered_question_count,
        question_counts.flagged_question_count,
        coalesce(id_counts.evidence_id_count, 0) as evidence_id_count,
        coalesce(id_counts.in_corpus_by_id, 0) as in_corpus_by_id,
        coalesce(id_counts.in_corpus_by_text, 0) as in_corpus_by_text,
        coalesce(id_counts.evidence_id_count - id_counts.in_corpus_by_id - id_counts.in_corpus_by_text, 0)
            as not_in_corpus,
    from question_counts
    left join id_counts
        on question_counts.suite = id_counts.suite

)

select * from final
