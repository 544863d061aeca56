-- Every rule of seeds.alert_rules for every current run that it applies to, with what was measured and whether that is
-- reason for an alert.
--   below             the value over all anchors of the stratum is under the threshold
--   absolute_change   the value differs from the baseline's by more than the threshold, either way. Both are taken over
--                     the same anchors: those of the baseline that the corpus still holds with the same text
-- A baseline belongs to a suite, regime and strategy, not to a model: after a change of the model the new run is
-- compared with the old one's figures. Only where both models run, each is compared with its own figures and the added
-- one has no baseline yet. Of several baselines, one with anchors in this corpus is taken, then one of the run's model,
-- then the latest.
-- Metrics of gold are taken over covered anchors. Nothing fires within 1e-9 of a threshold: in binary, 0.28 - 0.21 is
-- more than 0.07.
{%- set cutoffs = var('metric_ks') %}
{#- 97.5th and 80th percentiles of the normal distribution: what is found at 5 % with a power of 80 % #}
{%- set z = 1.959963984540054 + 0.8416212335729143 %}
{%- set tolerance = 1e-9 %}
with

rules as (

    select * from {{ ref('alert_rules') }}
    where
        metric not in (
            select registry.metric from {{ ref('metrics') }} as registry where registry.items = 'answer_items'
        )

),

answer_alerts as (

    select * from {{ ref('int_answer_alerts') }}

),

current_runs as (

    select * from {{ ref('retrieval_runs') }}
    where is_current

),

items as (

    select * from {{ ref('retrieval_items') }}
    where not is_error

),

queries as (

    select * from {{ ref('retrieval_queries') }}

),

query_strata as (

    select * from {{ ref('query_strata') }}

),

baselines as (

    select * from {{ ref('baselines') }}

),

baseline_items as (

    select * from {{ ref('baseline_items') }}

),

-- A rule without a run is kept: a rule that nobody checks must not pass for one that nothing breaks.
rule_runs as (

    select
        rules.*,
        coalesce(current_runs.run_id, '') as run_id,
        coalesce(current_runs.regime, rules.regime) as run_regime,
        current_runs.embedding_model,
        rules.metric in ('hit', 'self_at_1', 'self_at_1_text', 'coverage') as is_binary,
    from rules
    left join current_runs
        on rules.suite = current_runs.suite
        and rules.strategy = current_runs.strategy
        and coalesce(rules.regime, '') in ('', current_runs.regime)

),

rule_items as (

    select
        rule_runs.rule_id,
        rule_runs.run_id,
        queries.sentence_id,
        queries.text_hash,
        query_strata.query_id is not null as is_in_stratum,
        case
            when rule_runs.metric = 'self_at_1' then items.self_at_1::integer
            when rule_runs.metric = 'self_at_1_text' then items.self_at_1_text::integer
            when rule_runs.metric = 'coverage' then items.is_covered::integer
            when not items.is_covered then null
            when rule_runs.metric = 'median_gold_distance' then items.median_gold_distance
            {%- for k in cutoffs %}
                when rule_runs.metric = 'hit' and rule_runs.k = {{ k }} then items.hit_at_{{ k }}::integer
                when rule_runs.metric = 'recall' and rule_runs.k = {{ k }} then items.recall_at_{{ k }}
                when rule_runs.metric = 'mrr' and rule_runs.k = {{ k }} then items.rr_at_{{ k }}
                when rule_runs.metric = 'ndcg' and rule_runs.k = {{ k }} then items.ndcg_at_{{ k }}
            {%- endfor %}
        end::double as value,
    from rule_runs
    inner join items
        on rule_runs.run_id = items.run_id
        and rule_runs.gold_window = items.gold_window
        and rule_runs.gold_predicate = items.gold_predicate
    inner join queries
        on items.query_id = queries.query_id
        and items.suite = queries.suite
    left join query_strata
        on items.query_id = query_strata.query_id
        and items.suite = query_strata.suite
        and rule_runs.stratum_by = query_strata.stratum_by
        and rule_runs.stratum = query_strata.stratum

),

run_values as (

    select
        rule_runs.rule_id,
        rule_runs.run_id,
        count(rule_items.value) as n,
        if(
            any_value(rule_runs.metric) = 'median_gold_distance',
            median(rule_items.value),
            avg(rule_items.value)
        ) as value,
    from rule_runs
    left join rule_items
        on rule_runs.rule_id = rule_items.rule_id
        and rule_runs.run_id = rule_items.run_id
        and rule_items.is_in_stratum
    group by
        rule_runs.rule_id,
        rule_runs.run_id

),

-- Anchors of each baseline that the corpus still holds.
present_anchors as (

    select
        baseline_items.baseline_id,
        baseline_items.suite,
        count(*) as n_present,
    from baseline_items
    inner join queries
        on baseline_items.suite = queries.suite
        and baseline_items.sentence_id = queries.sentence_id
        and baseline_items.text_hash = queries.text_hash
    group by
        baseline_items.baseline_id,
        baseline_items.suite

),

chosen_baselines as (

    select
        rule_runs.rule_id,
        rule_runs.run_id,
        baselines.baseline_id,
        baselines.embedding_model as baseline_model,
    from rule_runs
    inner join baselines
        on rule_runs.suite = baselines.suite
        and rule_runs.run_regime = baselines.regime
        and rule_runs.strategy = baselines.strategy
    -- the baseline's own model runs as well
    left join current_runs as own_runs
        on baselines.suite = own_runs.suite
        and baselines.regime = own_runs.regime
        and baselines.strategy = own_runs.strategy
        and baselines.embedding_model = own_runs.embedding_model
    left join present_anchors
        on baselines.baseline_id = present_anchors.baseline_id
        and baselines.suite = present_anchors.suite
    where
        rule_runs.comparison = 'absolute_change'
        and (own_runs.run_id is null or own_runs.run_id = rule_runs.run_id)
    qualify
        row_number() over (
            partition by rule_runs.rule_id, rule_runs.run_id
            order by
                present_anchors.n_present is not null desc,
                baselines.embedding_model = rule_runs.embedding_model desc,
                baselines.frozen_on desc,
                baselines.baseline_id asc
        ) = 1

),

pairs as (

    select
        rule_runs.rule_id,
        rule_runs.run_id,
        rule_runs.metric,
        rule_items.sentence_id is not null as is_present,
        if(rule_items.is_in_stratum, rule_items.value, null) as value,
        case
            when rule_runs.metric = 'self_at_1' then baseline_items.self_at_1::integer
            when rule_runs.metric = 'self_at_1_text' then baseline_items.self_at_1_text::integer
            when rule_runs.metric = 'coverage' then baseline_items.is_covered::integer
            when not baseline_items.is_covered then null
            when rule_runs.metric = 'median_gold_distance' then baseline_items.median_gold_distance
            when rule_runs.metric = 'hit' and rule_runs.k = 5 then baseline_items.hit_at_5::integer
            when rule_runs.metric = 'mrr' and rule_runs.k = 30 then baseline_items.rr_at_30
        end::double as baseline_value,
    from rule_runs
    inner join chosen_baselines
        on rule_runs.rule_id = chosen_baselines.rule_id
        and rule_runs.run_id = chosen_baselines.run_id
    inner join baseline_items
        on chosen_baselines.baseline_id = baseline_items.baseline_id
        and chosen_baselines.baseline_model = baseline_items.embedding_model
        and rule_runs.suite = baseline_items.suite
        and rule_runs.run_regime = baseline_items.regime
        and rule_runs.strategy = baseline_items.strategy
        and rule_runs.gold_window = baseline_items.gold_window
        and rule_runs.gold_predicate = baseline_items.gold_predicate
    left join rule_items
        on rule_runs.rule_id = rule_items.rule_id
        and rule_runs.run_id = rule_items.run_id
        and baseline_items.sentence_id = rule_items.sentence_id
        and baseline_items.text_hash = rule_items.text_hash

),

compared_pairs as (

    select
        *,
        value is not null and baseline_value is not null as is_compared,
    from pairs

),

paired_values as (

    select
        rule_id,
        run_id,
        count(*) as n_baseline_anchors,
        count(*) filter (where not is_present) as n_baseline_anchors_missing,
        count(*) filter (where is_compared) as n,
        if(
            any_value(metric) = 'median_gold_distance',
            median(value) filter (where is_compared),
            avg(value) filter (where is_compared)
        ) as value,
        if(
            any_value(metric) = 'median_gold_distance',
            median(baseline_value) filter (where is_compared),
            avg(baseline_value) filter (where is_compared)
        ) as baseline_value,
        count(*) filter (where is_compared and value > baseline_value) as n_up,
        count(*) filter (where is_compared and value < baseline_value) as n_down,
        greatest(
            stddev_samp(value - baseline_value) filter (where is_compared),
            stddev_samp(baseline_value) filter (where is_compared)
        ) as spread,
    from compared_pairs
    group by
        rule_id,
        run_id

),

measured as (

    select
        rule_runs.rule_id,
        rule_runs.severity,
        rule_runs.run_id,
        rule_runs.suite,
        rule_runs.run_regime as regime,
        rule_runs.strategy,
        rule_runs.embedding_model,
        rule_runs.stratum_by,
        rule_runs.stratum,
        rule_runs.metric,
        rule_runs.k,
        rule_runs.gold_window,
        rule_runs.gold_predicate,
        rule_runs.comparison,
        rule_runs.threshold,
        rule_runs.is_binary,
        chosen_baselines.baseline_id,
        chosen_baselines.baseline_model,
        paired_values.n_baseline_anchors,
        paired_values.n_baseline_anchors_missing,
        paired_values.baseline_value,
        paired_values.n_up,
        paired_values.n_down,
        paired_values.spread,
        case
            when rule_runs.run_id = '' or run_values.n = 0 then 'not_measured'
            when rule_runs.comparison = 'below' then 'compared'
            when coalesce(paired_values.n, 0) = 0 then 'no_baseline'
            else 'compared'
        end as state,
        if(state = 'compared' and rule_runs.comparison = 'absolute_change', paired_values.n, run_values.n) as n,
        if(state = 'compared' and rule_runs.comparison = 'absolute_change', paired_values.value, run_values.value)
            as value,
    from rule_runs
    inner join run_values
        on rule_runs.rule_id = run_values.rule_id
        and rule_runs.run_id = run_values.run_id
    left join chosen_baselines
        on rule_runs.rule_id = chosen_baselines.rule_id
        and rule_runs.run_id = chosen_baselines.run_id
    left join paired_values
        on rule_runs.rule_id = paired_values.rule_id
        and rule_runs.run_id = paired_values.run_id

),

-- Smallest change that n anchors show at 5 % with a power of 80 %:
--   below               of a share from the threshold: z sqrt(t (1 - t) / n)
--   change of a share   McNemar, d = z sqrt((c + d) / n) solved for d: a change of d moves at least the share d of the
--                       anchors one way, and c is the share that changed sides and was balanced by others
--   change of a mean    z s / sqrt(n), s the larger of the standard deviations of the differences and of the baseline
--   change of a median  the same times sqrt(pi / 2), a median's standard error next to a mean's
-- The exact test of McNemar: of the anchors that changed sides, each way is as likely as the other.
judged as (

    select
        *,
        if(state = 'compared', value - baseline_value, null) as difference,
        case
            when state != 'compared' then null
            when comparison = 'below' then {{ z }} * sqrt(threshold * (1 - threshold) / n)
            when is_binary
                then
                    least(
                        1,
                        {{ z ** 2 }} / n / 2
                        + sqrt(pow({{ z ** 2 }} / n / 2, 2) + {{ z ** 2 }} / n * 2 * least(n_up, n_down) / n)
                    )
            when metric = 'median_gold_distance' then {{ z }} * sqrt(pi() / 2) * spread / sqrt(n)
            else {{ z }} * spread / sqrt(n)
        end as minimum_detectable_effect,
        case
            when state = 'compared' and comparison = 'absolute_change' and is_binary
                then
                    least(
                        1,
                        2 * list_sum(
                            list_transform(
                                range(0, least(n_up, n_down) + 1),
                                lambda i: exp(
                                    lgamma(n_up + n_down + 1) - lgamma(i + 1) - lgamma(n_up + n_down - i + 1)
                                    - (n_up + n_down) * ln(2)
                                )
                            )
                        )
                    )
        end as p_value,
        coalesce(
            state = 'compared'
            and case comparison
                when 'below' then value < threshold - {{ tolerance }}
                else abs(value - baseline_value) > threshold + {{ tolerance }}
            end,
            false
        ) as is_fired,
    from measured

),

with_power as (

    select
        *,
        case
            when state = 'compared'
                then
                    coalesce(
                        minimum_detectable_effect <= if(comparison = 'below', 1 - threshold, threshold), false
                    )
        end as can_detect,
        case
            when state != 'compared' then state
            when is_fired then 'fired'
            else 'ok'
        end as status,
        metric || if(k > 0, '@' || k, '') as metric_label,
        'run ' || run_id || ' (' || concat_ws(', ', suite, regime, strategy, embedding_model) || ')' as run_label,
        if(stratum_by = 'overall', 'over all anchors', 'where ' || stratum_by || ' is ' || stratum) as stratum_label,
    from judged

),

with_messages as (

    select
        *,
        severity || ' ' || rule_id || ': ' || case
            when run_id = ''
                then
                    'no current run of ' || concat_ws(', ', suite, nullif(regime, ''), strategy)
                    || ', so nothing was checked.'
            when status = 'not_measured'
                then
                    run_label || ' has no ' || metric_label || ' ' || stratum_label || ' for window ' || gold_window
                    || ' and ' || gold_predicate || ' gold, so nothing was checked.'
            when status = 'no_baseline' and baseline_id is null
                then
                    run_label || ' has ' || metric_label || ' ' || format('{:.3f}', value) || ' ' || stratum_label
                    || ', n = ' || n || ', and no baseline of its own; `make baseline` freezes one.'
            when status = 'no_baseline'
                then
                    run_label || ' has ' || metric_label || ' ' || format('{:.3f}', value) || ' ' || stratum_label
                    || ', n = ' || n || '; none of the anchors of baseline ' || baseline_id
                    || ' can be compared in this corpus, `make baseline` freezes another.'
            when comparison = 'below'
                then
                    run_label || ' has ' || metric_label || ' ' || format('{:.3f}', value) || ' ' || stratum_label
                    || ', threshold ' || threshold || ', n = ' || n || ', '
                    || if(can_detect, 'enough', 'too few') || ' to tell the threshold from 1 (detectable: '
                    || format('{:.3f}', minimum_detectable_effect) || ').'
            else
                run_label || ' has ' || metric_label || ' ' || format('{:.3f}', value) || ' ' || stratum_label
                || ', baseline ' || baseline_id || ' '
                || if(baseline_model != embedding_model, 'of ' || baseline_model || ' ', '')
                || format('{:.3f}', baseline_value) || ', difference ' || format('{:+.3f}', difference)
                || ', threshold ' || threshold
                || if(p_value is not null, ', p = ' || format('{:.4f}', p_value), '') || ', n = ' || n || ' of '
                || n_baseline_anchors || ' anchors of the baseline'
                || if(n_baseline_anchors_missing > 0, ' (' || n_baseline_anchors_missing || ' missing)', '')
                || ', ' || if(can_detect, 'enough', 'too few') || ' to see the threshold (detectable: '
                || coalesce(format('{:.3f}', minimum_detectable_effect), 'nothing') || ').'
        end as message,
    from with_power

),

retrieval_alerts as (

    select
        md5(rule_id || '|' || run_id)[:16] as alert_id,
        rule_id,
        severity,
        status,
        is_fired,
        nullif(run_id, '') as run_id,
        suite,
        regime,
        strategy,
        embedding_model,
        stratum_by,
        stratum,
        metric,
        k,
        gold_window,
        gold_predicate,
        comparison,
        value,
        baseline_id,
        baseline_value,
        difference,
        threshold,
        n,
        n_baseline_anchors_missing,
        minimum_detectable_effect,
        can_detect,
        p_value,
        message,
    from with_messages

),

alerts as (

    select * from retrieval_alerts
    union all by name
    select * from answer_alerts

)

select * from alerts
