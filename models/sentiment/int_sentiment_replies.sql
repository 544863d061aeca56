-- Raw replies of our own models and of systems elsewhere, in one form. A reply that was cut at its limit of tokens is a
-- reply: a model that does not stop by itself has often named its label by then. One that was cut before it said
-- anything, as happens to models that think first, is an error, like every other call that failed. Nothing, said twice
-- (invalid_output), is a reply without a label. So is what a system elsewhere leaves out, or it could leave out what it
-- finds hard.
-- run_id is a hash of what decides the replies and what they are compared with.
with

headlines as (

    select * from {{ ref('headlines') }}

),

responses as (

    select * from {{ ref('int_classify_sentiment_responses') }}

),

external_replies as (

    select * from {{ ref('int_external_sentiment') }}
    where reason is null

),

external_runs as (

    select distinct
        external_replies.system,
        external_replies.model,
        headlines.dataset,
    from external_replies
    inner join headlines
        on external_replies.headline_id = headlines.headline_id

),

unioned as (

    select
        item_id as headline_id,
        'zero_shot' as system,
        model_id,
        provider,
        is_baseline,
        replicate,
        status,
        status not in ('ok', 'repaired', 'invalid_output')
        and not (status = 'max_tokens' and trim(coalesce(raw_text, '')) != '') as is_error,
        error,
        raw_text,
        input_tokens,
        output_tokens,
        cost_usd,
        latency_seconds,
        call_key,
        prompt_version,
        'warehouse' as source,
    from responses

    union all

    select
        headlines.headline_id,
        external_runs.system,
        external_runs.model as model_id,
        'external' as provider,
        false as is_baseline,
        1 as replicate,
        if(external_replies.raw_text is null, 'no_reply', 'ok') as status,
        false as is_error,
        if(external_replies.raw_text is null, 'the files state no reply', null) as error,
        external_replies.raw_text,
        external_replies.input_tokens,
        external_replies.output_tokens,
        external_replies.cost_usd,
        external_replies.latency_seconds,
        null as call_key,
        null as prompt_version,
        'external' as source,
    from external_runs
    inner join headlines
        on external_runs.dataset = headlines.dataset
    left join external_replies
        on external_runs.system = external_replies.system
        and external_runs.model = external_replies.model
        and headlines.headline_id = external_replies.headline_id

),

replies as (

    select
        md5(concat_ws(
            '|', unioned.source, headlines.dataset, unioned.system, unioned.model_id, unioned.replicate,
            bit_xor(hash(
                headlines.headline_id,
                headlines.headline_text,
                headlines.gold_label,
                headlines.choices,
                unioned.call_key,
                unioned.raw_text, unioned.is_error
            )) over (
                partition by
                    unioned.source, headlines.dataset, unioned.system, unioned.model_id, unioned.replicate
            )
        ))[:16] as run_id,
        unioned.*,
        headlines.dataset,
        headlines.text_hash,
        headlines.gold_label,
        headlines.choices,
        -- of no reply and of a blank one two keys: null is left out of the text that is hashed
        if(not unioned.is_error, md5(concat_ws('|', unioned.raw_text, headlines.choices)), null) as reply_key,
    from unioned
    inner join headlines
        on unioned.headline_id = headlines.headline_id

)

select * from replies
