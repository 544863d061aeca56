-- Truncated: longer than the model takes, special tokens and prefix included. What was cut is not in the vector.
with

int_truncated_texts as (

    select * from {{ ref('int_truncated_texts') }}

),

text_counts as (

    select
        text_hash,
        count(*) as sentence_count,
    from {{ ref('fct_sentences') }}
    group by text_hash

),

final as (

    select
        int_truncated_texts.model_id,
        int_truncated_texts.text_hash,
        int_truncated_texts.token_count,
        int_truncated_texts.max_tokens,
        text_counts.sentence_count,
    from int_truncated_texts
    inner join text_counts
        on int_truncated_texts.text_hash = text_counts.text_hash

)

select * from final
