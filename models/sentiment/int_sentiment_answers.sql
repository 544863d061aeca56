with

replies as (

    select * from {{ ref('int_sentiment_replies') }}

),

readings as (

    select * from {{ ref('int_sentiment_readings') }}

),

int_sentiment_answers as (

    select
        replies.run_id,
        replies.headline_id,
        replies.dataset,
        replies.system,
        replies.model_id,
        replies.provider,
        replies.is_baseline,
        replies.replicate,
        replies.status,
        replies.is_error,
        replies.error,
        replies.raw_text,
        readings.answer_section,
        readings.label_exact,
        readings.label_first_mention,
        readings.label_choice_order,
        replies.input_tokens,
        replies.output_tokens,
        replies.cost_usd,
        replies.latency_seconds,
        replies.call_key,
        replies.prompt_version,
        replies.source,
    from replies
    left join readings
        on replies.reply_key = readings.reply_key

)

select * from int_sentiment_answers
