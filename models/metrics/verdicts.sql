-- Is the candidate better than the reference, and are we sure? Every pair of runs under the metric of a primary endpoint
-- (seeds.primary_endpoints), over all queries and read both ways, with the sentence that a build, the report and
-- `finrag compare` show. All that is concluded stands in metrics.int_adjusted_comparisons; here it is put into words.
--   better, worse            the corrected test tells them apart
--   cannot be told apart     it does not; n_needed from n_clusters_needed would show a difference of stated_difference in
--                            4 of 5 cases, were it the only comparison
--   too few                  under 7 clusters there is no test
{%- set few_clusters = 7 %}
{%- set level = 0.05 %}
{%- set alone = "if(family_size > 1, ', were it the only comparison', '')" %}
{%- set chosen = setting('compare_reference') %}
with

endpoints as (

    select * from {{ ref('int_suite_endpoints') }}

),

adjusted as (

    select * from {{ ref('int_adjusted_comparisons') }}
    where stratum_by = 'overall'

),

run_pairs as (

    select * from {{ ref('int_run_pairs') }}

),

answer_pairs as (

    select * from {{ ref('int_answer_run_pairs') }}

),

system_pairs as (

    select * from {{ ref('int_system_pairs') }}

),

chunking_pairs as (

    select * from {{ ref('int_chunking_run_pairs') }}

),

-- A run's label begins with its regime, which is said once where both share it.
names as (

    select
        'runs' as compared,
        comparison_id,
        strategy_a = 'random' as is_floor_a,
        is_chance and not is_floor_a as is_floor_b,
        split_part(label_a, ' ', 1) as regime_a,
        split_part(label_b, ' ', 1) as regime_b,
        if(regime_a = regime_b, regime_a, '') as setting,
        label_a[len(regime_a) + 2:] || if(setting = '', ' (' || regime_a || ')', '') as name_a,
        label_b[len(regime_b) + 2:] || if(setting = '', ' (' || regime_b || ')', '') as name_b,
    from run_pairs

    union all by name

    select
        'answers' as compared,
        comparison_id,
        false as is_floor_a,
        false as is_floor_b,
        'answers' as setting,
        label_a as name_a,
        label_b as name_b,
    from answer_pairs

    union all by name

    select
        'systems' as compared,
        comparison_id,
        system_a = 'majority class' as is_floor_a,
        system_b = 'majority class' as is_floor_b,
        if(task = 'sentiment', '', 'judged by ' || judge_model) as setting,
        system_a as name_a,
        system_b as name_b,
    from system_pairs

    union all by name

    select
        'chunkings' as compared,
        comparison_id,
        false as is_floor_a,
        false as is_floor_b,
        'chunks, ' || embedding_model as setting,
        chunking_a as name_a,
        chunking_b as name_b,
    from chunking_pairs

),

pairs as (

    select
        adjusted.* exclude (reference, verdict),
        names.setting,
        -- runs of two builds that differ in nothing that a label says
        names.name_a || if(names.name_a = names.name_b, ', run ' || adjusted.run_id_a[:8], '') as name_a,
        names.name_b || if(names.name_a = names.name_b, ', run ' || adjusted.run_id_b[:8], '') as name_b,
        names.is_floor_a,
        names.is_floor_b,
        endpoints.note as endpoint,
        endpoints.phrase,
        endpoints.stated_difference,
    from adjusted
    inner join names
        on adjusted.compared = names.compared
        and adjusted.comparison_id = names.comparison_id
    inner join endpoints
        on adjusted.compared = endpoints.compared
        and adjusted.gold_window = endpoints.gold_window
        and adjusted.gold_predicate = endpoints.gold_predicate
        and adjusted.metric = endpoints.metric
        and adjusted.k = endpoints.k
        and endpoints.suite is not distinct from adjusted.suite
        and (
            adjusted.comparison_kind = endpoints.comparison_kind
            -- the run before, and pairs that were asked for, are of the same metrics
            or (
                adjusted.comparison_kind not in ('strategy', 'regime', 'model')
                and endpoints.comparison_kind = 'strategy'
            )
        )

),

-- What chance scores on the same queries; for labels, the most frequent one.
floors as (

    select
        run_id_b as run_id,
        suite,
        metric,
        k,
        gold_window,
        gold_predicate,
        value_a as floor_value,
    from pairs
    where is_floor_a

    union all

    select
        run_id_a as run_id,
        suite,
        metric,
        k,
        gold_window,
        gold_predicate,
        value_b as floor_value,
    from pairs
    where is_floor_b

),

candidates as (

    select
        *,
        run_id_b as candidate_run_id,
        run_id_a as reference_run_id,
        name_b as candidate,
        name_a as reference,
        value_b as candidate_value,
        value_a as reference_value,
    from pairs
    where not is_floor_a and not is_floor_b

    union all by name

    -- the same read the other way round
    select
        * replace (
            -difference as difference,
            -ci_high as ci_low,
            -ci_low as ci_high,
            not is_better as is_better,
            false as is_primary
        ),
        run_id_a as candidate_run_id,
        run_id_b as reference_run_id,
        name_a as candidate,
        name_b as reference,
        value_a as candidate_value,
        value_b as reference_value,
        true as is_turned,
    from pairs
    where not is_floor_a and not is_floor_b

),

judged as (

    select
        candidates.*,
        floors.floor_value,
        reference_floors.floor_value as reference_floor_value,
        case
            when candidates.p_value is null then 'too few'
            when not candidates.is_significant then 'cannot be told apart'
            when candidates.is_better then 'better'
            else 'worse'
        end as verdict_in_short,
        ceil(
            candidates.n_pairs * power(candidates.minimum_detectable_effect / candidates.stated_difference, 2) - 1e-9
        )::bigint as n_needed,
        ceil(n_needed / candidates.n_pairs * candidates.n_clusters - 1e-9)::bigint as n_clusters_needed,
        candidates.ci_low > 0 or candidates.ci_high < 0 as is_clear_of_zero,
        coalesce(
            candidates.is_significant and candidates.is_interval_reliable and candidates.adjustment = 'holm', false
        ) as is_sure,
        case candidates.compared
            when 'runs' then if(candidates.suite in ('p1', 'p2'), 'anchors', 'queries')
            when 'systems' then if(candidates.comparison_kind = 'sentiment', 'headlines', 'sources')
            else 'questions'
        end as noun,
        {%- for name, value in [
            ('points', 'abs(candidates.difference)'),
            ('stated_points', 'candidates.stated_difference'),
            ('low_points', 'candidates.ci_low'),
            ('high_points', 'candidates.ci_high'),
            ('least_points', 'if(candidates.difference < 0, -candidates.ci_high, candidates.ci_low)'),
            ('most_points', 'if(candidates.difference < 0, -candidates.ci_low, candidates.ci_high)'),
            ('floor_points', 'abs(floors.floor_value - reference_floors.floor_value)'),
        ] %}
            -- 3.0 as 3, and no minus before a zero; none where an interval does not reach it
            regexp_replace(
                regexp_replace(
                    if(
                        is_clear_of_zero and abs(100 * {{ value }}) < 0.05,
                        format('{:.1g}', 100 * {{ value }}),
                        format('{:.1f}', 100 * {{ value }})
                    ),
                    '\.0$',
                    ''
                ),
                '^-0$',
                '0'
            ) as {{ name }},
        {%- endfor %}
    from candidates
    {% for floor, run in [('floors', 'candidate'), ('reference_floors', 'reference')] -%}
        left join floors{{ ' as ' ~ floor if floor != 'floors' }}
            on candidates.{{ run }}_run_id = {{ floor }}.run_id
            and candidates.suite = {{ floor }}.suite
            and candidates.metric = {{ floor }}.metric
            and candidates.k = {{ floor }}.k
            and candidates.gold_window = {{ floor }}.gold_window
            and candidates.gold_predicate = {{ floor }}.gold_predicate
    {% endfor %}

),

verdicts as (

    select
        md5(
            concat_ws(
                ':', compared, comparison_id, candidate_run_id, candidate, metric, k, gold_window, gold_predicate
            )
        ) as verdict_id,
        endpoint,
        compared,
        comparison_kind,
        suite,
        dataset,
        setting,
        candidate_run_id,
        reference_run_id,
        candidate,
        reference,
        metric,
        k,
        gold_window,
        gold_predicate,
        candidate_value,
        reference_value,
        floor_value,
        reference_floor_value,
        difference,
        ci_low,
        ci_high,
        p_adjusted,
        n_pairs as n,
        n_clusters,
        stated_difference,
        n_needed,
        n_clusters_needed,
        is_primary,
        {% if chosen %}
            -- every word of it is in the name, or it is the run
            list_bool_and(
                list_transform(
                    string_split({{ sql_strings([chosen]) }}, ' '),
                    lambda word: contains(
                        concat_ws(' ', '', suite, dataset, setting, reference, reference_run_id, ''),
                        ' ' || word || ' '
                    )
                )
            ) as is_chosen,
            -- of what the chosen reference has no part in, the primary pairs
            if(
                bool_or(is_chosen) over (partition by compared, suite, dataset),
                is_chosen,
                is_primary and bool_or(is_chosen) over ()
            ) as is_headline,
        {%- else %}
            is_primary as is_headline,
        {%- endif %}
        verdict_in_short as verdict,
        is_sure,
        case
            when verdict_in_short = 'too few'
                then
                    candidate || ' and ' || reference || ' cannot be compared: ' || format('{:,}', n_pairs) || ' ' || noun
                    || ' from ' || n_clusters || if(n_clusters = 1, ' cluster', ' clusters')
                    -- of two ways to cluster, the one that is too few need not be the one that counts
                    || if(
                        n_clusters < {{ few_clusters }},
                        '; a test needs {{ few_clusters }} or more',
                        ', but from under {{ few_clusters }} companies or texts; a test needs {{ few_clusters }} of both'
                    )
            when verdict_in_short in ('better', 'worse')
                then
                    candidate || ' '
                    || replace(phrase, '{points}', points || ' points ' || if(difference > 0, 'more', 'fewer'))
                    || ' ' || reference || ' (' || least_points || ' to ' || most_points
                    || if(is_clear_of_zero, '), ', '; the interval is more cautious than the test), ')
                    || case
                        when is_sure then 'sure'
                        when not is_interval_reliable then 'a lead: what differs is in too few clusters to be sure'
                        else 'a lead to be confirmed on other ' || noun
                    end
                    -- among fewer sentences blind draws find more, too
                    || if(
                        comparison_kind = 'regime' and floor_points is not null,
                        '; blind draws do for ' || floor_points || ' points '
                        || if(floor_value < reference_floor_value, 'fewer', 'more'),
                        ''
                    )
            when mean_absolute_difference = 0
                then
                    candidate || ' and ' || reference || ' score the same on each of ' || format('{:,}', n_pairs) || ' '
                    || noun
            else
                candidate || ' and ' || reference || ' cannot be told apart (' || low_points || ' to ' || high_points
                || ' points'
                || case
                    when is_clear_of_zero and p_value < {{ level }} then ', but one of ' || family_size || ' comparisons)'
                    when is_clear_of_zero then ', but that most clusters went one way could be chance)'
                    else ')'
                end
                || case
                    when n_needed is null
                        then '; too few ' || noun || ' differ to say how many would show ' || stated_points || ' points'
                    when n_needed <= n_pairs then '; ' || stated_points || ' points would have shown' || {{ alone }}
                    else
                        '; ' || format('{:,}', n_needed) || ' ' || noun
                        || if(n_clusters < n_pairs, ' from ' || format('{:,}', n_clusters_needed) || ' clusters', '')
                        || ' would show ' || stated_points || ' points'
                        || {{ alone }}
                end
        end as sentence,
    from judged

)

select * {{ 'exclude (is_chosen)' if chosen }} from verdicts
