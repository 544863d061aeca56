-- What every judge says of every scored summary. A judge is an entry of `similarities`, a column of
-- int_calibration_similarity, or a branch of the union below with its own scores or labels; the calibration follows.
{%- set similarities = [
    'rouge_l', 'rouge_l_precision', 'rouge_l_recall', 'bertscore', 'bertscore_precision', 'bertscore_recall',
    'bleurt', 'cosine',
] %}
with

pairs as (

    select * from {{ ref('int_calibration_pairs') }}

),

similarity as (

    select * from {{ ref('int_calibration_similarity') }}

),

verdicts as (

    select * from {{ ref('int_calibration_faithfulness') }}

),

calibration_rows as (

    select * from {{ ref('int_calibration_rows') }}
    where reason is null

),

metrics as (

    {%- for judge in similarities %}
        select
            pairs.summary_id,
            '{{ judge }}' as judge,
            'metric' as judge_kind,
            pairs.compared_with,
            similarity.{{ judge }} as score,
            null::varchar as label,
            false as is_error,
            null::varchar as error,
            {%- if judge.startswith('bertscore') %}
                similarity.is_candidate_truncated or similarity.is_reference_truncated as is_truncated,
            {%- else %}
                null::boolean as is_truncated,
            {%- endif %}
            {%- if judge.startswith('rouge') %}
                'rouge_score 0.1.2' as judge_version,
            {%- else %}
                similarity.{{ judge.split('_')[0] }}_model as judge_version,
            {%- endif %}
        from pairs
        inner join similarity
            on pairs.pair_id = similarity.pair_id
        where similarity.{{ judge }} is not null
        {%- if not loop.last %}

            union all
        {% endif %}
    {%- endfor %}

),

baseline_judge as (

    {%- for judge, score, label in [
        ('baseline_faithfulness', 'faithfulness', 'verdicts.label'),
        ('baseline_support', 'support', 'null::varchar'),
    ] %}
        select
            pairs.summary_id,
            '{{ judge }}' as judge,
            'baseline' as judge_kind,
            pairs.compared_with,
            verdicts.{{ score }} as score,
            {{ label }},
            false as is_error,
            null::varchar as error,
            false as is_truncated,
            verdicts.judge_version,
        from pairs
        inner join verdicts
            on pairs.pair_id = verdicts.pair_id
        where verdicts.claim_count > 0
        {%- if not loop.last %}

            union all
        {% endif %}
    {%- endfor %}

),

stated_ratings as (

    select
        dataset || ':' || source_id as summary_id,
        unnest(ratings) as rating,
    from calibration_rows

),

stated as (

    select
        summary_id,
        rating.name as judge,
        'stated' as judge_kind,
        'stated' as compared_with,
        rating.score,
        rating.label,
        rating.score is null and rating.label is null as is_error,
        if(rating.score is null and rating.label is null, 'the file states no judgement', null) as error,
        null::boolean as is_truncated,
        null::varchar as judge_version,
    from stated_ratings
    where rating.rater = 'judge'

),

int_judge_scores as (

    select * from metrics
    union all
    select * from baseline_judge
    union all
    select * from stated

)

select * from int_judge_scores
