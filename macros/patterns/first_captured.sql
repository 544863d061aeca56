{#
    What the first matching pattern of a registry captures in its first group, by priority, or null. For registries
    whose patterns say where something stands in the text rather than whether it is there.
#}
{% macro first_captured(text, registry) -%}
    {%- set seed = adapter.get_relation(target.database, 'seeds', registry) if execute else none -%}
    {%- if seed is not none -%}
        {%- set rows = run_query('select pattern from ' ~ seed ~ ' order by priority, pattern_id') -%}
        coalesce(
            {%- for row in rows.rows %}
            nullif(regexp_extract({{ text }}, '{{ row[0] | replace("'", "''") }}', 1), ''),
            {%- endfor %}
            null
        )
    {%- else -%}
        null
    {%- endif -%}
{%- endmacro %}
