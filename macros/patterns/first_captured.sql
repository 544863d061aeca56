{#
    What the first matching capture pattern of a registry captures in its first group, by priority, or null. For
    registries whose patterns say where something stands in the text rather than whether it is there.
#}
{% macro first_captured(text, registry) -%}
    {%- set patterns = role_patterns(registry, 'capture') -%}
    {%- if patterns -%}
        coalesce(
            {%- for pattern in patterns %}
            nullif(trim(regexp_extract({{ text }}, {{ pattern }}, 1)), ''){{ ',' if not loop.last }}
            {%- endfor %}
        )
    {%- else -%}
        null::varchar
    {%- endif -%}
{%- endmacro %}


{# What all capture patterns of such a registry capture, by priority, as a list without what captures nothing. #}
{% macro captures(text, registry) -%}
    list_filter(
        [
            {%- for pattern in role_patterns(registry, 'capture') %}
            trim(regexp_extract({{ text }}, {{ pattern }}, 1)){{ ',' if not loop.last }}
            {%- endfor %}
        ]::varchar[],
        lambda captured: captured != ''
    )
{%- endmacro %}


{# Whether one of the never patterns of such a registry matches. #}
{% macro never_captured(text, registry) -%}
    {%- set patterns = role_patterns(registry, 'never') -%}
    {%- if patterns -%}
        (
            {%- for pattern in patterns %}
            regexp_matches({{ text }}, {{ pattern }}){{ ' or' if not loop.last }}
            {%- endfor %}
        )
    {%- else -%}
        false
    {%- endif -%}
{%- endmacro %}


{# The patterns of one role of a registry as SQL literals, in order; empty while parsing. #}
{% macro role_patterns(registry, role) -%}
    {%- set patterns = [] -%}
    {%- do ref(registry) -%}
    {%- set seed = adapter.get_relation(target.database, 'seeds', registry) if execute else none -%}
    {%- if seed is not none -%}
        {%- set rows = run_query(
            "select pattern from " ~ seed ~ " where role = '" ~ role ~ "' order by priority, pattern_id"
        ) -%}
        {%- for row in rows.rows -%}{%- do patterns.append(sql_strings([row[0]])) -%}{%- endfor -%}
    {%- endif -%}
    {%- do return(patterns) -%}
{%- endmacro %}
