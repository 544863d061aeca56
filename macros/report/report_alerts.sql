{#
    on-run-end: the messages of the alerts that fired, the gravest first, or that none did; and why rules could
    not be measured. `report_build` calls it.
#}
{% macro report_alerts() -%}
    {%- set alerts = adapter.get_relation(target.database, 'metrics', 'alerts') -%}
    {%- if alerts is not none -%}
        {%- set fired = run_query(
            'select message from ' ~ alerts ~ ' where is_fired order by severity, rule_id, regime, message'
        ) -%}
        {%- set counted = run_query(
            "select count(*) as checks, count(*) filter (status = 'too_few_to_tell') as untold, "
            ~ "count(*) filter (status = 'ok' and not can_detect) as blind from " ~ alerts
        ).rows[0] -%}
        {%- set unmeasured = run_query(
            "select count(*) || ' could not be measured (' || string_agg(distinct rule_id, ', ' order by rule_id) || '): ' "
            ~ "|| replace(any_value(message), any_value(severity || ' ' || rule_id || ': '), '') from " ~ alerts
            ~ " where status = 'not_measured' group by replace(message, severity || ' ' || rule_id || ': ', '') order by 1"
        ).columns[0].values() -%}
        {%- set none_fired = ['none of ' ~ counted['checks'] ~ ' checks fired' ~ ('; ' ~ counted['untold']
            ~ ' exceed their threshold by what could be chance' if counted['untold'] else '') ~ ('; ' ~ counted['blind']
            ~ ' have too few items or clusters to see their threshold' if counted['blind'] else '')] -%}
        {%- do report_rows('Alerts (metrics.alerts)', (fired.columns[0].values() or none_fired) | list + unmeasured | list) -%}
    {%- endif -%}
{%- endmacro %}
