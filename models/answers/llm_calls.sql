-- A call is one request as one model got it, with all its attempts and its repair. Several items whose requests are
-- equal share a call, and so do all the builds in which the same request occurs: a call is paid once.
with

calls as (

    select * from {{ ref('int_llm_calls') }}

),

typed as (

    select
        call_key,
        task,
        item_id,
        model_id,
        provider,
        prompt_version,
        replicate,
        status,
        -- finished calls are never sent again; the others are tried again by the next build
        status not in ('rate_limited', 'timeout', 'provider_error', 'over_budget') as is_final,
        finish_reason,
        attempts,
        estimated_input_tokens,
        input_tokens,
        output_tokens,
        cost_usd,
        latency_seconds,
        cast(requested_at as timestamptz) as requested_at,
        error,
        unanswered_usd,
        cached_input_tokens,
        answered_by,
    from calls

)

select * from typed
