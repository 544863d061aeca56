-- The label of a headline: as its file states it (FLARE), else from its score, which is the mean over the companies
-- that it speaks of (FiQA). Below sentiment_negative_below it is negative, from sentiment_positive_from on positive,
-- and neutral between; 0.1 either side of nothing, as benchmarks on FiQA commonly have it. A headline whose companies
-- fare differently has one label all the same, and is_mixed says so.
{%- set negative = setting('sentiment_negative_below') %}
{%- set positive = setting('sentiment_positive_from') %}
with

sentiment_rows as (

    select * from {{ ref('int_sentiment_rows') }}
    where reason is null

),

scored as (

    select
        *,
        list_avg(scores) as sentiment_score,
        list_min(scores) as lowest_score,
        list_max(scores) as highest_score,
    from sentiment_rows

),

headlines as (

    select
        dataset || ':' || source_id as headline_id,
        dataset,
        source_id,
        layout,
        headline_text,
        text_hash,
        sentiment_score,
        lowest_score,
        highest_score,
        len(scores) as score_count,
        coalesce(
            stated_label,
            case
                when sentiment_score < {{ negative }} then 'negative'
                when sentiment_score >= {{ positive }} then 'positive'
                else 'neutral'
            end
        ) as gold_label,
        if(stated_label is null, 'score', 'stated') as label_source,
        coalesce(lowest_score < {{ negative }} and highest_score >= {{ positive }}, false) as is_mixed,
        choices,
        file_path,
        source_row,
    from scored

)

select * from headlines
