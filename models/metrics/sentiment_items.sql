-- A reply without a label is wrong (is_correct false); a failed call has no verdict (null) and is counted in n_error.
with

answers as (

    select * from {{ ref('int_sentiment_answers') }}

),

headlines as (

    select * from {{ ref('headlines') }}

),

-- The label that most headlines of a data set have; of equally many the first by name.
majority_labels as (

    select
        dataset,
        arg_max(gold_label, (n_headlines, -label_rank)) as majority_label,
    from (
        select
            dataset,
            gold_label,
            count(*) as n_headlines,
            rank() over (partition by dataset order by gold_label) as label_rank,
        from headlines
        group by dataset, gold_label
    ) as counted
    group by dataset

),

judged as (

    select
        answers.run_id,
        answers.headline_id,
        answers.dataset,
        answers.system,
        answers.model_id,
        answers.provider,
        answers.is_baseline,
        answers.replicate,
        headlines.text_hash,
        headlines.choices,
        headlines.gold_label,
        majority_labels.majority_label,
        if(answers.is_error, null, headlines.gold_label = majority_labels.majority_label) as is_majority,
        answers.status,
        answers.is_error,
        answers.error,
        answers.raw_text,
        answers.answer_section,
        {%- for rule in ['exact', 'first_mention', 'choice_order'] %}
            answers.label_{{ rule }},
            if(
                answers.is_error, null, coalesce(answers.label_{{ rule }} = headlines.gold_label, false)
            ) as is_correct_{{ rule }},
            if(answers.is_error, null, answers.label_{{ rule }} is null) as is_missing_{{ rule }},
        {%- endfor %}
        answers.input_tokens,
        answers.output_tokens,
        answers.cost_usd,
        answers.latency_seconds,
        answers.call_key,
        answers.prompt_version,
        answers.source,
    from answers
    inner join headlines
        on answers.headline_id = headlines.headline_id
    inner join majority_labels
        on answers.dataset = majority_labels.dataset

),

sentiment_items as (

    select
        *,
        bit_xor(hash(
            headline_id, text_hash, choices, gold_label, majority_label, label_exact, label_first_mention,
            label_choice_order, is_error
        )) over (partition by run_id)::varchar as items_version,
    from judged

)

select * from sentiment_items
