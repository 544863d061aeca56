-- May this state of things go on? Two kinds of rules. Alerts: thresholds of seeds.alert_rules; one of severity P0 or P1
-- that fired fails, P2 warns; one with too few items to see its threshold tells nothing. Baseline: every run that
-- `finrag baseline` froze, under the metric of its primary endpoint, against what stands in its place now, over the items
-- that both were measured on; what is worse beyond chance fails. All comparisons of a build are one family (Holm), so that
-- with nothing changed for the worse at most 5 % of builds fail. What is better passes and says so. A run that no longer
-- answers what others still do has nothing there, and one that is gone warns.
--   What lost as much as is worth knowing of and is not told from chance, cannot be told.
--   Of runs that differ in their replicate only, at least gate_replicates have to be worse.
{%- set level = 0.05 %}
{%- set tolerance = 1e-9 %}
with

alerts as (

    select * from {{ ref('alerts') }}

),

comparisons as (

    select * from {{ ref('int_baseline_comparisons') }}

),

metrics as (

    select
        metric,
        higher_is_better,
    from {{ ref('metrics') }}

),

-- a difference worth knowing of
stated as (

    select
        metric,
        k,
        min(stated_difference) as stated_difference,
    from {{ ref('int_suite_endpoints') }}
    group by metric, k

),

ranked as (

    select
        *,
        count(p_value) over () as family_size,
        row_number() over (order by p_value nulls last, place, model, frozen_model, metric, k) as p_rank,
    from comparisons

),

adjusted as (

    select
        ranked.*,
        if(
            ranked.p_value is null,
            null,
            least(
                1.0,
                max(ranked.p_value * (ranked.family_size - ranked.p_rank + 1)) over (
                    order by ranked.p_rank
                    rows between unbounded preceding and current row
                )
            )
        ) as p_adjusted,
        coalesce(p_adjusted < {{ level }}, false) as is_shown,
        is_shown and (ranked.difference > 0) != metrics.higher_is_better as is_worse,
        is_shown and (ranked.difference > 0) = metrics.higher_is_better as is_better,
        -- flipped signs of so few clusters give no smaller p-value, however large a difference is
        2 / power(2, ranked.n_clusters) * ranked.family_size >= {{ level }} as is_too_few,
        2 / power(2, ranked.n_clusters_differing) * ranked.family_size >= {{ level }} as is_differing_too_few,
        -- no test shows that nothing was lost, so that as much as is worth knowing of does not pass
        ranked.difference != 0
        and (ranked.difference > 0) != metrics.higher_is_better
        and abs(ranked.difference) >= coalesce(stated.stated_difference, 0) - {{ tolerance }} as is_much_lost,
        regexp_replace(ranked.place, ' #\d+$', '') as of_replicates,
    from ranked
    inner join metrics
        on ranked.metric = metrics.metric
    left join stated
        on ranked.metric = stated.metric
        and ranked.k = stated.k

),

replicates as (

    select
        *,
        count(*) over same as n_replicates,
        count(*) filter (where is_worse) over same as n_worse,
    from adjusted
    window same as (partition by of_replicates, model, frozen_model, gold_predicate, metric, k)

),

against_baseline as (

    select
        'baseline' as kind,
        concat_ws(' ', place, metric || if(k > 0, '@' || k, '')) as rule,
        null::varchar as severity,
        place,
        run_id_b as run_id,
        baseline_id,
        nullif(model, '') as model,
        nullif(frozen_model, '') as baseline_model,
        metric,
        k,
        value_b as value,
        value_a as reference_value,
        difference,
        ci_low,
        ci_high,
        p_adjusted,
        n_pairs as n,
        n_clusters,
        n_a_only as n_lost,
        n_b_only as n_won,
        n_frozen,
        n_missing,
        case
            when run_id_b is null and n_missing > 0 then 'warns'
            when p_value is null then 'not compared'
            when is_worse and n_worse >= least({{ setting('gate_replicates') }}, n_replicates) then 'fails'
            when is_better then 'better'
            when (is_too_few or is_much_lost) and not is_shown then 'cannot tell'
            else 'passes'
        end as decision,
        place || coalesce(' ' || nullif(model, ''), '') || ': ' || metric || if(k > 0, '@' || k, '') || case
            when run_id_b is null and n_missing > 0
                then
                    ' of baseline ' || baseline_id || ': no run stands in its place now, and ' || n_missing || ' of its '
                    || n_frozen || ' items are still asked. If that is meant, freeze the runs of now.'
            when run_id_b is null
                then ' of baseline ' || baseline_id || ' has nothing now that was measured on the same items.'
            else
                ' ' || format('{:.3f}', value_b) || ', baseline ' || baseline_id || ' '
                || if(model != frozen_model, 'of ' || frozen_model || ' ', '') || format('{:.3f}', value_a)
                || ', difference ' || format('{:+.3f}', difference) || ' (' || format('{:.3f}', ci_low) || ' to '
                || format('{:.3f}', ci_high) || '), n = ' || n_pairs || ' of ' || n_frozen || ' frozen, from ' || n_clusters
                || ' clusters, '
                || if(n_missing > 0, n_missing || ' of which have no score now and count as 0, ', '')
                || case
                    when p_value is null then 'too few to test'
                    when is_shown
                        then
                            'p = ' || format('{:.4f}', p_adjusted) || ' among ' || family_size || ': '
                            || if(is_worse, 'worse', 'better')
                            || if(is_interval_reliable, '', ', a lead: what differs is in too few clusters to be sure')
                    else
                        'p = ' || format('{:.4f}', p_adjusted) || ' among ' || family_size || ': not told from chance'
                        || case
                            when is_too_few then ', and of so few clusters nothing could be'
                            when is_much_lost and is_differing_too_few
                                then
                                    ', and where ' || n_clusters_differing || ' of them'
                                    || if(n_clusters_differing = 1, ' differs', ' differ') || ' nothing could be'
                            when is_much_lost then ', and as much as is worth knowing of'
                            else ''
                        end
                end
                || if(
                    is_worse and n_worse < least({{ setting('gate_replicates') }}, n_replicates),
                    ', but in ' || n_worse || ' of ' || n_replicates || ' replicates',
                    ''
                )
                || '.'
        end as message,
    from replicates

),

by_threshold as (

    select
        'alert' as kind,
        rule_id as rule,
        severity,
        concat_ws(' ', suite, regime, strategy) as place,
        run_id,
        baseline_id,
        embedding_model as model,
        baseline_model,
        metric,
        k,
        value,
        coalesce(baseline_value, threshold) as reference_value,
        difference,
        ci_low,
        ci_high,
        null::double as p_adjusted,
        n,
        n_clusters,
        null::bigint as n_lost,
        null::bigint as n_won,
        null::bigint as n_frozen,
        null::bigint as n_missing,
        case
            when is_fired then if(severity = 'P2', 'warns', 'fails')
            when status = 'too_few_to_tell' or not can_detect then 'cannot tell'
            when status = 'ok' then 'passes'
            else 'not compared'
        end as decision,
        message,
    from alerts

),

gate as (

    select * from by_threshold
    union all by name
    select * from against_baseline

)

select
    md5(concat_ws('|', kind, rule, run_id, baseline_id, model, baseline_model)) as gate_id,
    *,
from gate
