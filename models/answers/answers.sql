-- Answers of this warehouse and of others in one table. What an answer is of:
--   our own          the strategy (and embedding model) that found its context × the model × the replicate
--   external ones    the name given in the var external_answers, as strategy, × the model that the file states
-- run_id is a hash of what decides the answers and what they are scored against: for our own the keys of all calls (which
-- hash provider, model, prompt version, rendered prompt with its context, decoding and replicate), for external ones their
-- content, fields included, and in both cases the suite's questions with their gold and key points. So an unchanged run
-- keeps its id, and that of a suite without key points is as if there were none.
with

questions as (

    select
        *,
        suite || ':' || question_id as query_id,
    from {{ ref('p3_questions') }}

),

suite_questions as (

    select * from {{ ref('int_suite_questions') }}

),

suite_versions as (

    select
        questions.suite,
        xor(
            bit_xor(hash(
                questions.question_id,
                questions.question_text,
                questions.answer_type,
                questions.answer_text,
                questions.answer_items,
                questions.answer_numeric,
                questions.answer_unit,
                questions.tolerance,
                questions.evidence_sentence_ids,
                questions.cik_int,
                questions.years
            )),
            coalesce(
                bit_xor(hash(questions.question_id, suite_questions.key_points)) filter (
                    where suite_questions.key_points is not null
                ),
                0
            )
        )::varchar as suite_version,
    from questions
    left join suite_questions
        on questions.query_id = suite_questions.question_key
    group by questions.suite

),

requests as (

    select * from {{ ref('int_answer_requests') }}

),

responses as (

    select * from {{ ref('int_answer_responses') }}

),

external_answers as (

    select * from {{ ref('int_external_answers') }}
    where reason is null

),

own as (

    select
        requests.suite,
        requests.query_id,
        requests.strategy,
        requests.embedding_model,
        requests.retrieval_run_id,
        responses.model_id,
        responses.provider,
        responses.is_baseline,
        responses.replicate,
        responses.status,
        responses.output ->> 'answer_text' as answer_text,
        (responses.output -> 'answer_items')::varchar[] as answer_items,
        (responses.output ->> 'answer_numeric')::double as answer_numeric,
        responses.output ->> 'answer_unit' as answer_unit,
        (responses.output ->> 'answer_boolean')::boolean as answer_boolean,
        (responses.output ->> 'is_answerable')::boolean as is_answerable,
        (responses.output -> 'cited_sentence_ids')::varchar[] as cited_sentence_ids,
        responses.input_tokens,
        responses.output_tokens,
        responses.cost_usd,
        responses.latency_seconds,
        'warehouse' as source,
        responses.error,
        responses.call_key,
        responses.prompt_version,
        responses.call_key as content_key,
        null::varchar as source_answer_id,
        null::varchar as match_kind,
        null::double as match_score,
    from responses
    inner join requests
        on responses.item_id = requests.item_id

),

external as (

    select
        suite,
        suite || ':' || question_id as query_id,
        external_run as strategy,
        'none' as embedding_model,
        null::varchar as retrieval_run_id,
        answer_model as model_id,
        'external' as provider,
        false as is_baseline,
        answer_number as replicate,
        if(answer_text is null, 'no_answer_text', 'ok') as status,
        answer_text,
        answer_items,
        answer_numeric,
        answer_unit,
        answer_boolean,
        is_answerable,
        cited_sentence_ids,
        input_tokens,
        output_tokens,
        cost_usd,
        latency_seconds,
        'external' as source,
        if(answer_text is null, 'the file states no answer', null) as error,
        source_answer_id as call_key,
        null::varchar as prompt_version,
        -- null parts are left out: of answers that are texts alone the key is that of their texts
        md5(concat_ws(
            '|', external_run, answer_model, answer_text, contexts, answer_number, question_id,
            'answer_items ' || to_json(answer_items),
            'answer_numeric ' || answer_numeric,
            'answer_unit ' || answer_unit,
            'answer_boolean ' || answer_boolean,
            'is_answerable ' || is_answerable,
            'cited_sentence_ids ' || to_json(cited_sentence_ids)
        )) as content_key,
        source_answer_id,
        match_kind,
        match_score,
    from external_answers

),

unioned as (

    select * from own
    union all
    select * from external

),

-- External answers to one question are one run: nothing says which of them belong together. Replicates of ours are runs.
with_runs as (

    select
        unioned.*,
        md5(concat_ws(
            '|',
            unioned.source,
            unioned.suite,
            unioned.strategy,
            unioned.embedding_model,
            unioned.model_id,
            if(unioned.source = 'warehouse', unioned.replicate, 0),
            suite_versions.suite_version,
            bit_xor(hash(unioned.query_id, unioned.content_key)) over (
                partition by
                    unioned.source,
                    unioned.suite,
                    unioned.strategy,
                    unioned.embedding_model,
                    unioned.model_id,
                    if(unioned.source = 'warehouse', unioned.replicate, 0)
            )
        ))[:16] as run_id,
    from unioned
    inner join suite_versions
        on unioned.suite = suite_versions.suite

),

answers as (

    select
        md5(concat_ws('|', run_id, query_id, replicate)) as answer_id,
        run_id,
        suite,
        query_id,
        strategy,
        embedding_model,
        retrieval_run_id,
        model_id,
        provider,
        is_baseline,
        replicate,
        status,
        status not in ('ok', 'repaired') as is_error,
        error,
        answer_text,
        answer_items,
        answer_numeric,
        answer_unit,
        answer_boolean,
        is_answerable,
        cited_sentence_ids,
        input_tokens,
        output_tokens,
        cost_usd,
        latency_seconds,
        call_key,
        prompt_version,
        source,
        source_answer_id,
        match_kind,
        match_score,
    from with_runs

)

select * from answers
