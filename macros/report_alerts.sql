{#
    on-run-end: the messages of the alerts that fired, the gravest first, or that none did. `report_build` calls it.
#}
{% macro report_alerts() -%}
    {%- set alerts = adapter.get_relation(target.database, 'metrics', 'alerts') -%}
    {%- if alerts is not none -%}
        {%- set fired = run_query(
            'select message from ' ~ alerts ~ ' where is_fired order by severity, rule_id, regime, message'
        ) -%}
        {%- set counted = run_query(
            "select count(*) as checks, count(*) filter (status = 'not_measured') as unmeasured, "
            ~ "count(*) filter (status = 'too_few_to_tell') as untold from " ~ alerts
        ).rows[0] -%}
        {%- set none_fired = ['none of ' ~ counted['checks'] ~ ' checks fired; ' ~ counted['unmeasured'] ~ ' could not be measured'
            ~ (', ' ~ counted['untold'] ~ ' exceed their threshold by what could be chance' if counted['untold'] else '')] -%}
        {%- do report_rows('Alerts (metrics.alerts)', fired.columns[0].values() or none_fired) -%}
    {%- endif -%}
{%- endmacro %}
