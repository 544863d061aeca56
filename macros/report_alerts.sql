{# on-run-end: the messages of the alerts that fired, the gravest first. `report_build` calls it. #}
{% macro report_alerts() -%}
    {%- set alerts = adapter.get_relation(target.database, 'metrics', 'alerts') -%}
    {%- if alerts is not none -%}
        {%- set fired = run_query(
            'select message from ' ~ alerts ~ ' where is_fired order by severity, rule_id, regime, message'
        ) -%}
        {%- do report_rows('Alerts (metrics.alerts)', fired.columns[0].values()) -%}
    {%- endif -%}
{%- endmacro %}
