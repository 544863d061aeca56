-- Texts whose claims are checked, and against what:
--   summaries                  source    the text that they summarise
--   answers to the questions   evidence  the gold evidence of the question
--                              context   what the answerer was given to read
-- Texts that claim nothing are here too, so that they are counted: without text where a call failed (is_error), where
-- nothing is said, and where an answer abstains. An answer is not checked against evidence where its question has none
-- in the corpus, nor against a context that an external system did not state. What was answered without a search is not
-- here: of its text, none or altered, it is known without a judge that it does not bear the answer out.
with

summaries as (

    select * from {{ ref('summaries') }}

),

sources as (

    select * from {{ ref('sources') }}

),

answers as (

    select * from {{ ref('answer_items') }}

),

replies as (

    select * from {{ ref('answers') }}

),

scored as (

    select * from {{ ref('int_scored_answers') }}

),

questions as (

    select
        suite,
        suite || ':' || question_id as query_id,
        row_number() over (
            partition by suite
            order by {{ stable_hash(['question_id']) }}, question_id
        ) as draw,
    from {{ ref('p3_questions') }}

),

drawn as (

    select
        suite,
        query_id,
    from questions
    where draw <= coalesce({{ anchor_limit('judged_questions') }}, draw)

),

of_summaries as (

    select
        'summary' as item_type,
        summaries.summary_id as item_id,
        'source' as basis,
        'none' as suite,
        summaries.dataset,
        summaries.is_error,
        summaries.summary_text as judged_text,
        if(sources.company_name is null, [], [sources.company_name]) as names,
        summaries.source_id,
        null as sentences,
    from summaries
    inner join sources
        on summaries.source_id = sources.source_id

),

answers_with_sources as (

    select
        replies.answer_id,
        replies.suite,
        replies.is_error,
        if(coalesce(answers.is_abstention, false), null, replies.answer_text) as judged_text,
        list_transform(scored.companies, lambda company: company.company_name) as names,
        list_transform(
            list_filter(scored.evidence, lambda sentence: sentence.text is not null),
            lambda sentence: { 'sentence_ids': [sentence.sentence_id], 'text': sentence.text }
        ) as evidence,
        list_transform(
            scored.contexts,
            lambda passage: { 'sentence_ids': passage.sentence_ids, 'text': passage.text }
        ) as contexts,
    from replies
    inner join drawn
        on replies.suite = drawn.suite
        and replies.query_id = drawn.query_id
    inner join scored
        on replies.answer_id = scored.answer_id
    inner join answers
        on replies.answer_id = answers.answer_id
    where coalesce(replies.retrieval_run_id, replies.source_answer_id) is not null

),

of_answers as (

    select
        'answer' as item_type,
        answer_id as item_id,
        'evidence' as basis,
        suite,
        'none' as dataset,
        is_error,
        judged_text,
        names,
        null as source_id,
        evidence as sentences,
    from answers_with_sources
    where len(evidence) > 0

    union all

    select
        'answer' as item_type,
        answer_id as item_id,
        'context' as basis,
        suite,
        'none' as dataset,
        is_error,
        judged_text,
        names,
        null as source_id,
        contexts as sentences,
    from answers_with_sources
    where contexts is not null

),

unioned as (

    select * from of_summaries
    union all
    select * from of_answers

),

judged_texts as (

    select
        md5(concat_ws('|', item_type, item_id, basis)) as judged_id,
        *,
    from unioned

)

select * from judged_texts
