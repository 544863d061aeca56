-- All comparisons of a build, with p-values that allow for how many there are. Primary endpoints (seeds.primary_endpoints)
-- are one family over all tables: Holm (1979) holds the chance of a single wrong "significant" among them to 5 %. The
-- rest is exploratory, in families that a reader takes in at once: the candidates against one reference, in all groups
-- of one grouping, under one metric and gold; chance is in no family with candidates. There Benjamini and Hochberg
-- (1995) hold the expected share of wrong ones among the significant to 5 %, and the chance of any where nothing differs.
{%- set compared_pairs = [
    ('runs', 'int_run_pairs', 'suite', 'comparison_kind', 'label_a', 'strategy_a', 'is_chance'),
    ('answers', 'int_answer_run_pairs', 'suite', 'comparison_kind', 'label_a', 'strategy_a', 'is_chance'),
    ('chunkings', 'int_chunking_run_pairs', 'suite', 'comparison_kind', 'chunking_a', 'chunking_a', 'false'),
    (
        'systems', 'int_system_pairs', 'dataset', 'task',
        "concat_ws(' ', system_a, judge_model, judge_replicate, question_model)", "''", 'false',
    ),
] %}
{%- set level = 0.05 %}
{%- set alone = "if(family_size > 1, ', were it the only comparison', '')" %}
with

endpoints as (

    select * from {{ ref('int_suite_endpoints') }}

),

metrics as (

    select
        metric,
        higher_is_better,
    from {{ ref('metrics') }}

),

pairs as (

    {% for compared, pairs, on, kind, reference, strategy, is_chance in compared_pairs %}
        {%- if not loop.first %}
            union all by name

        {% endif -%}
        select
            '{{ compared }}' as compared,
            comparison_id,
            {{ kind }} as comparison_kind,
            {{ on }} as {{ on }},
            run_id_a,
            run_id_b,
            {{ reference }} as reference,
            {{ strategy }} as strategy,
            is_reference,
            {{ is_chance }} as is_chance,
        from {{ ref(pairs) }}

    {% endfor %}
),

tested as (

    select
        'runs' as compared,
        *,
    from {{ ref('int_run_comparisons') }}

    union all by name

    select
        'answers' as compared,
        *,
    from {{ ref('int_answer_comparisons') }}

    union all by name

    select
        'chunkings' as compared,
        *,
    from {{ ref('int_chunking_comparisons') }}

    union all by name

    select
        'systems' as compared,
        *,
    from {{ ref('int_system_comparisons') }}

),

comparisons as (

    select
        pairs.comparison_id,
        pairs.comparison_kind,
        pairs.suite,
        pairs.dataset,
        pairs.reference,
        pairs.is_chance,
        -- ways to ask are those of one run
        tested.* replace (
            split_part(tested.run_id_a, '~', 1) as run_id_a,
            split_part(tested.run_id_b, '~', 1) as run_id_b
        ),
        coalesce(pairs.is_reference and not pairs.is_chance, false) and exists (
            select 1 from endpoints
            where
                endpoints.compared = tested.compared
                and endpoints.comparison_kind = pairs.comparison_kind
                and endpoints.suite is not distinct from pairs.suite
                and coalesce(endpoints.strategy, '') = pairs.strategy
                and endpoints.gold_window = tested.gold_window
                and endpoints.gold_predicate = tested.gold_predicate
                and endpoints.metric = tested.metric
                and endpoints.k = tested.k
                and tested.stratum_by = 'overall'
        ) as is_primary,
    from pairs
    inner join tested
        on pairs.compared = tested.compared
        and pairs.run_id_a = tested.run_id_a
        and pairs.run_id_b = tested.run_id_b

),

families as (

    select
        *,
        case
            when is_primary then 'primary endpoints'
            else
                concat_ws(
                    ' ',
                    compared,
                    suite,
                    dataset,
                    comparison_kind,
                    'against',
                    reference,
                    if(is_chance, 'by chance', null),
                    nullif(gold_window, 'none'),
                    gold_predicate,
                    stratum_by,
                    metric || if(k > 0, '@' || k, '')
                )
        end as family,
    from comparisons

),

ranked as (

    select
        *,
        count(p_value) over (partition by family) as family_size,
        row_number() over (
            partition by family
            order by p_value nulls last, comparison_id, stratum
        ) as p_rank,
    from families

),

adjusted as (

    select
        *,
        if(is_primary, 'holm', 'benjamini_hochberg') as adjustment,
        case
            when p_value is null then null
            when is_primary
                then
                    least(
                        1.0,
                        max(p_value * (family_size - p_rank + 1)) over (
                            partition by family
                            order by p_rank
                            rows between unbounded preceding and current row
                        )
                    )
            else
                least(
                    1.0,
                    min(p_value * family_size / p_rank) over (
                        partition by family
                        order by p_rank
                        rows between current row and unbounded following
                    )
                )
        end as p_adjusted,
    from ranked

),

told as (

    select
        adjusted.*,
        coalesce(adjusted.p_adjusted < {{ level }}, false) as is_significant,
        adjusted.ci_low > 0 or adjusted.ci_high < 0 as is_clear_of_zero,
        adjusted.minimum_detectable_effect <= adjusted.mean_absolute_difference as is_effect_told,
        (adjusted.difference > 0) = metrics.higher_is_better as is_better,
    from adjusted
    inner join metrics
        on adjusted.metric = metrics.metric

),

-- In words, for whoever reads one row. Where interval and corrected test seem to disagree, it says why. A difference of
-- means is at most the mean absolute difference: where the effect is more, too few pairs differ to tell their spread, and
-- it is what would be found if more of them did, all one way. An effect is that of the test alone: of several comparisons
-- the corrected test finds it less often, and with few clusters never.
verdicts as (

    select
        * replace (if(is_effect_told, minimum_detectable_effect, null) as minimum_detectable_effect),
        case
            when p_value is null then 'not tested: fewer than 7 clusters'
            when is_significant
                then
                    if(is_better, 'better', 'worse')
                    || if(is_primary, '', ', exploratory: to be confirmed on other queries')
                    || if(
                        coalesce(is_interval_reliable, true),
                        '',
                        '; what differs is in too few clusters for interval and test to be as sure as they say'
                    )
                    || if(is_clear_of_zero, '', '; the interval, which allows for more than the test, holds 0')
            when is_clear_of_zero and p_value < {{ level }}
                then
                    'cannot be told: the interval and p = ' || format('{:.3f}', p_value)
                    || ' are of this comparison alone, one of ' || family_size || ' in its family'
            when is_clear_of_zero
                then 'cannot be told: the interval is clear of 0, but that most clusters went one way could be chance'
            when is_effect_told
                then
                    'cannot be told: a difference of ' || format('{:.3f}', minimum_detectable_effect)
                    || ' would be found in 4 of 5 cases' || {{ alone }}
            else
                if(mean_absolute_difference = 0, 'cannot be told: no pair differs', 'cannot be told: too few pairs differ')
                || coalesce(
                    '; a difference of ' || format('{:.3f}', minimum_detectable_effect)
                    || ' would be found if more did, all one way' || {{ alone }},
                    '; no difference that is possible would be found in 4 of 5 cases'
                )
        end as verdict,
    from told

)

select * from verdicts
