-- Every rule of seeds.alert_rules for every current run that it applies to, with what was measured and whether that is
-- reason for an alert. A rule fires when all of this holds:
--   its threshold is exceeded
--     below             the value over all anchors of the stratum is under the threshold
--     absolute_change   the value differs from the baseline's by more than the threshold, either way, over the same
--                       anchors: those of the baseline that the corpus still holds with the same text. Where the
--                       baseline is small the threshold is the share relative_threshold of it, if that is less
--   the 95 % interval excludes no change: it lies beyond the threshold, or leaves out a difference of 0
--   the evidence of all builds so far is enough: e_process is 20 or more (finrag.statistics.e_values), so that looking
--   at every build leaves the chance of a false alarm at 5 % for each rule and model. Once it has been enough, a build
--   that shows no change (e_value of 1 or less) starts it again: what was mended is no evidence of what comes later
-- What exceeds its threshold and cannot be told from chance is too_few_to_tell. Nothing fires within 1e-9 of a
-- threshold: in binary, 0.28 - 0.21 is more than 0.07.
{%- set tolerance = 1e-9 %}
{%- set limit = 20 %} {#- 1 / 0.05 #}
{%- set most = 1e12 %} {#- of items; more is never #}
with recursive

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

statistics as (

    select * from {{ ref('int_alert_statistics') }}

),

history as (

    select * from {{ ref('int_alert_history') }}

),

-- A rule without a run is kept: a rule that nobody checks must not pass for one that nothing breaks.
rule_runs as (

    select
        rules.*,
        coalesce(current_runs.run_id, '') as run_id,
        coalesce(current_runs.regime, rules.regime) as run_regime,
        current_runs.embedding_model,
    from rules
    left join current_runs
        on rules.suite = current_runs.suite
        and rules.strategy = current_runs.strategy
        and coalesce(rules.regime, '') in ('', current_runs.regime)

),

measured as (

    select
        rule_runs.*,
        statistics.baseline_id,
        statistics.baseline_model,
        statistics.series_id,
        statistics.n_baseline_anchors,
        statistics.n_baseline_anchors_missing,
        case
            when rule_runs.run_id = '' or coalesce(statistics.run_n, 0) = 0 then 'not_measured'
            when rule_runs.comparison = 'below' then 'compared'
            when statistics.n = 0 then 'no_baseline'
            else 'compared'
        end as state,
        if(state = 'compared', statistics.n, coalesce(statistics.run_n, 0)) as n,
        if(state = 'compared', statistics.value, statistics.run_value) as value,
        if(state = 'compared', statistics.baseline_value, null) as baseline_value,
        if(state = 'compared', statistics.n_clusters, null) as n_clusters,
        if(state = 'compared', statistics.n_clusters_differing, null) as n_clusters_differing,
        if(state = 'compared', statistics.ci_low, null) as ci_low,
        if(state = 'compared', statistics.ci_high, null) as ci_high,
        if(state = 'compared', statistics.is_interval_reliable, null) as is_interval_reliable,
        if(state = 'compared', statistics.minimum_detectable_effect, null) as minimum_detectable_effect,
        if(state = 'compared', statistics.n_to_see, null) as n_to_see,
        if(state = 'compared', statistics.p_value, null) as p_value,
        if(state = 'compared', statistics.e_value, null) as e_value,
    from rule_runs
    left join statistics
        on rule_runs.rule_id = statistics.rule_id
        and rule_runs.run_id = statistics.run_id

),

-- a rule of change is relative where the baseline is small
with_threshold as (

    select
        * replace (
            if(
                comparison = 'absolute_change',
                least(threshold, coalesce(relative_threshold * baseline_value, threshold)),
                threshold
            ) as threshold
        ),
    from measured

),

judged as (

    select
        *,
        if(state = 'compared', value - baseline_value, null) as difference,
        coalesce(
            case comparison
                when 'below' then value < threshold - {{ tolerance }}
                else abs(value - baseline_value) > threshold + {{ tolerance }}
            end,
            false
        ) as is_exceeded,
        coalesce(
            if(comparison = 'below', ci_high < threshold, ci_low > 0 or ci_high < 0), false
        ) as is_interval_clear,
        if(comparison = 'below', 1 - threshold, threshold) as wanted_effect,
        metric || if(k > 0, '@' || k, '') as metric_label,
        'run ' || run_id || ' (' || concat_ws(', ', suite, run_regime, strategy, embedding_model) || ')' as run_label,
        case
            when stratum_by != 'overall' then 'where ' || stratum_by || ' is ' || stratum
            when suite in ('p1', 'p2') then 'over all anchors'
            else 'over all questions'
        end as stratum_label,
    from with_threshold

),

retrieval_alerts as (

    select
        md5(rule_id || '|' || run_id)[:16] as alert_id,
        rule_id,
        severity,
        schedule,
        state,
        nullif(run_id, '') as run_id,
        suite,
        run_regime as regime,
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
        baseline_model,
        baseline_value,
        difference,
        threshold,
        is_exceeded,
        is_interval_clear,
        ci_low,
        ci_high,
        is_interval_reliable,
        n,
        n_clusters,
        n_clusters_differing,
        n_baseline_anchors_missing,
        minimum_detectable_effect,
        n_to_see,
        if(state = 'compared', coalesce(minimum_detectable_effect <= wanted_effect, false), null) as can_detect,
        p_value,
        e_value,
        series_id,
        severity || ' ' || rule_id || ': ' || case
            when run_id = ''
                then
                    'no current run of ' || concat_ws(', ', suite, nullif(regime, ''), strategy)
                    || ', so nothing was checked.'
            when state = 'not_measured'
                then
                    run_label || ' has no ' || metric_label || ' ' || stratum_label || ' for window ' || gold_window
                    || ' and ' || gold_predicate || ' gold, so nothing was checked.'
            when state = 'no_baseline' and baseline_id is null
                then
                    run_label || ' has ' || metric_label || ' ' || format('{:.3f}', value) || ' ' || stratum_label
                    || ', n = ' || n || ', and no baseline of its own; `{{ command('baseline') }}` freezes one.'
            when state = 'no_baseline'
                then
                    run_label || ' has ' || metric_label || ' ' || format('{:.3f}', value) || ' ' || stratum_label
                    || ', n = ' || n || '; none of the anchors of baseline ' || baseline_id
                    || ' can be compared in this corpus, `{{ command('baseline') }}` freezes another.'
            when comparison = 'below'
                then
                    run_label || ' has ' || metric_label || ' ' || format('{:.3f}', value) || ' ' || stratum_label
                    || ', threshold ' || threshold || ', n = ' || n
            else
                run_label || ' has ' || metric_label || ' ' || format('{:.3f}', value) || ' ' || stratum_label
                || ', baseline ' || baseline_id || ' '
                || if(baseline_model != embedding_model, 'of ' || baseline_model || ' ', '')
                || format('{:.3f}', baseline_value) || ', difference ' || format('{:+.3f}', difference)
                || ', threshold ' || round(threshold, 4)
                || if(p_value is not null, ', p = ' || format('{:.4f}', p_value), '') || ', n = ' || n || ' of '
                || n_baseline_anchors || ' anchors of the baseline'
                || if(n_baseline_anchors_missing > 0, ' (' || n_baseline_anchors_missing || ' missing)', '')
        end as message,
    from judged

),

all_alerts as (

    select * from retrieval_alerts
    union all by name
    select * from answer_alerts

),

-- The builds of each series one after the other, up to the one that first saw a run: build i since the start counts
-- 1 / (i (i + 1)).
accumulated as (

    select
        series_id,
        run_id,
        build_number,
        1::bigint as n_builds,
        e_value / 2 as e_process,
    from history
    where build_number = 1

    union all

    select
        series_id,
        run_id,
        build_number,
        n_builds,
        e_before + e_value / (n_builds * (n_builds + 1)) as e_process,
    from (
        select
            builds.series_id,
            builds.run_id,
            builds.build_number,
            builds.e_value,
            accumulated.e_process >= {{ limit }} and builds.e_value <= 1 as is_started_again,
            if(is_started_again, 1, accumulated.n_builds + 1) as n_builds,
            if(is_started_again, 0, accumulated.e_process) as e_before,
        from accumulated
        inner join history as builds
            on accumulated.series_id = builds.series_id
            and accumulated.build_number + 1 = builds.build_number
    )

),

-- How many items would tell what too few do not, as many per cluster as now. The interval: as many as see a change of the
-- threshold's size; of a share below its threshold, as many as see how far it is below. The evidence: e-values of
-- independent parts multiply, so that of n / log(e_value) * log(2 * limit) items passes the limit at its first build.
with_status as (

    select
        all_alerts.*,
        accumulated.n_builds,
        accumulated.e_process,
        case
            when all_alerts.state != 'compared' then null
            else coalesce(accumulated.e_process >= {{ limit }}, false)
        end as is_change_shown,
        case
            when all_alerts.state != 'compared' then all_alerts.state
            when not all_alerts.is_exceeded then 'ok'
            when all_alerts.is_interval_clear and is_change_shown then 'fired'
            else 'too_few_to_tell'
        end as status,
        case
            when status = 'too_few_to_tell'
                then greatest(
                        if(
                            all_alerts.is_interval_clear,
                            null,
                            if(
                                all_alerts.comparison = 'below',
                                all_alerts.n
                                * power(all_alerts.minimum_detectable_effect / (all_alerts.threshold - all_alerts.value), 2),
                                all_alerts.n_to_see
                            )
                        ),
                        if(
                            not is_change_shown and all_alerts.e_value > 1,
                            all_alerts.n * ln(2 * {{ limit }}) / ln(all_alerts.e_value),
                            null
                        )
                    )
            when status = 'ok' and not all_alerts.can_detect then all_alerts.n_to_see
        end as n_needed,
        if(n_needed > all_alerts.n and n_needed < {{ most }}, ceil(n_needed - {{ tolerance }})::bigint, null) as n_to_tell,
        ceil(n_to_tell / all_alerts.n * all_alerts.n_clusters - {{ tolerance }})::bigint as n_clusters_to_tell,
    from all_alerts
    left join accumulated
        on all_alerts.series_id = accumulated.series_id
        and all_alerts.run_id = accumulated.run_id

),

alerts as (

    select
        alert_id,
        rule_id,
        severity,
        schedule,
        status,
        status = 'fired' as is_fired,
        run_id,
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
        baseline_model,
        baseline_value,
        difference,
        threshold,
        ci_low,
        ci_high,
        is_interval_reliable,
        n,
        n_clusters,
        n_baseline_anchors_missing,
        minimum_detectable_effect,
        can_detect,
        n_to_tell,
        n_clusters_to_tell,
        p_value,
        e_value,
        e_process,
        n_builds,
        is_change_shown,
        message || if(state != 'compared', '', (
            coalesce(
                ', 95 % interval ' || format('{:.3f}', ci_low) || ' to ' || format('{:.3f}', ci_high), ', no interval'
            )
            || coalesce(' from ' || n_clusters || ' clusters', '')
            || case n_clusters_differing
                when 0 then ', none of which differs'
                when n_clusters then ', all of which differ'
                when 1 then ', one of which differs'
                else coalesce(', ' || n_clusters_differing || ' of which differ', '')
            end
            || coalesce(
                ', evidence ' || if(e_process < 1000, format('{:.1f}', e_process), 'over 1,000')
                || ' after ' || n_builds || if(n_builds = 1, ' build', ' builds') || ' ({{ limit }} is enough)',
                ''
            )
            || case
                when status = 'too_few_to_tell' and not is_interval_clear
                    then ': too few to tell, the interval holds no change'
                when status = 'too_few_to_tell'
                    then ': too few to tell, as every build is looked at'
                when status = 'ok' and is_change_shown
                    then ': there is a change, less than the threshold'
                when status = 'fired' and not is_interval_reliable and e_value < {{ most }}
                    then
                        ': a lead: what ' || if(comparison = 'below', 'is measured', 'differs')
                        || ' is in too few clusters to be sure'
                else ''
            end
            || ' (detectable: ' || coalesce(format('{:.3f}', minimum_detectable_effect), 'nothing')
            || if(n_clusters_differing is null or minimum_detectable_effect is null, '', ' if all change alike')
            || if(can_detect, ', enough to see the threshold)', ', too few to see the threshold)')
            || case
                when status = 'too_few_to_tell' and n_to_tell is null then '; how many would tell cannot be said'
                when status = 'too_few_to_tell' then '; about ' || format('{:,}', n_to_tell) || ' would tell'
                when n_to_tell is not null then '; about ' || format('{:,}', n_to_tell) || ' would see it'
                else ''
            end
            || coalesce(', from ' || format('{:,}', n_clusters_to_tell) || ' clusters', '') || '.'
        )) as message,
    from with_status

)

select * from alerts
