-- Which ten answers should somebody read? They are drawn by a hash, whatever their scores, each with its question, gold
-- answer, evidence and scores. verdict and note are for the reader to fill: right, wrong or hallucinated (it states what
-- neither evidence nor context says).
with

answers as (

    select * from {{ ref('answers') }}

),

items as (

    select * from {{ ref('answer_items') }}

),

questions as (

    select * from {{ ref('p3_questions') }}

),

evidence as (

    select * from {{ ref('p3_evidence') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}

),

evidence_texts as (

    select
        evidence.suite,
        evidence.question_id,
        string_agg(sentences.sentence_text, chr(10) order by evidence.evidence_rank, evidence.sentence_id) as evidence_text,
    from evidence
    inner join sentences
        on evidence.sentence_id = sentences.sentence_id
    where evidence.grade = 2
    group by
        evidence.suite,
        evidence.question_id

),

reviewed as (

    select
        row_number() over (order by {{ stable_hash(['answers.answer_id']) }}, answers.answer_id) as review_no,
        answers.answer_id,
        answers.run_id,
        answers.suite,
        answers.query_id,
        answers.strategy,
        answers.model_id as answer_model,
        questions.answer_type,
        questions.question_text,
        questions.answer_text as gold_answer,
        evidence_texts.evidence_text,
        answers.answer_text,
        items.is_correct,
        coalesce(items.numeric_reason, items.boolean_reason, items.list_reason, items.abstention_phrase) as reason,
        items.evidence_in_context,
        items.answer_relevance,
        items.copied_share,
        items.rouge_l,
        items.bertscore,
        items.bleurt,
        items.cosine,
        null::varchar as verdict,
        null::varchar as note,
    from answers
    inner join items
        on answers.answer_id = items.answer_id
    inner join questions
        on answers.suite = questions.suite
        and answers.query_id = questions.query_id
    left join evidence_texts
        on questions.suite = evidence_texts.suite
        and questions.question_id = evidence_texts.question_id
    where not answers.is_error
    qualify review_no <= 10

)

select * from reviewed
order by review_no
