-- What an answer was given to read: our contexts, sentence by sentence, or the passages that an external answer states.
-- A passage's company and year are the stated ones, or else those of its sentences. list_id: the search that our
-- contexts are of, or the strategy that does without one; of external answers the answer.
with

contexts as (

    select * from {{ ref('contexts') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}

),

altered_evidence as (

    select
        suite,
        query_id,
        unnest(contexts) as sentence,
        generate_subscripts(contexts, 1) as context_position,
    from {{ ref('int_altered_evidence') }}

),

altering_strategies as (

    select strategy
    from {{ ref('retrieval_strategies') }}
    where method = 'altered_evidence'

),

external_answers as (

    select
        source_answer_id,
        suite || ':' || question_id as query_id,
        suite,
        unnest(from_json(
            contexts,
            '[{"text": "VARCHAR", "sentence_ids": ["VARCHAR"], "cik": "BIGINT", "report_year": "INTEGER"}]'
        )) as passage,
        generate_subscripts(from_json(contexts, '["JSON"]'), 1) as context_position,
    from {{ ref('int_external_answers') }}
    where reason is null and contexts is not null

),

own as (

    select
        contexts.suite,
        contexts.query_id,
        contexts.run_id as list_id,
        contexts.context_position,
        sentences.cik,
        sentences.report_year,
        sentences.sentence_text as text,
        sentences.text_hash,
        [contexts.sentence_id] as sentence_ids,
    from contexts
    inner join sentences
        on contexts.sentence_id = sentences.sentence_id

),

altered as (

    select
        altered_evidence.suite,
        altered_evidence.query_id,
        altering_strategies.strategy as list_id,
        altered_evidence.context_position,
        sentences.cik,
        sentences.report_year,
        altered_evidence.sentence.text,
        sentences.text_hash,
        [altered_evidence.sentence.sentence_id] as sentence_ids,
    from altered_evidence
    cross join altering_strategies
    inner join sentences
        on altered_evidence.sentence.sentence_id = sentences.sentence_id

),

external as (

    select
        external_answers.suite,
        external_answers.query_id,
        external_answers.source_answer_id as list_id,
        external_answers.context_position,
        coalesce(external_answers.passage.cik, sentences.cik) as cik,
        coalesce(external_answers.passage.report_year, sentences.report_year) as report_year,
        if(external_answers.passage.text = '', sentences.sentence_text, external_answers.passage.text) as text,
        md5(lower(trim(regexp_replace(
            if(external_answers.passage.text = '', sentences.sentence_text, external_answers.passage.text),
            '\s+',
            ' ',
            'g'
        )))) as text_hash,
        external_answers.passage.sentence_ids,
    from external_answers
    left join sentences
        on external_answers.passage.sentence_ids[1] = sentences.sentence_id

),

unioned as (

    select * from own
    union all
    select * from altered
    union all
    select * from external

)

select * from unioned
