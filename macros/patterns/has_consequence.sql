{# Whether a text holds a word of consequence of the topic, by the verb rows of seeds.risk_patterns; true where it has none. #}
{% macro has_consequence(text, topic) -%}
    {%- do ref('risk_patterns') -%}
    {%- set seed = adapter.get_relation(target.database, 'seeds', 'risk_patterns') if execute else none -%}
    {%- set rows = run_query("select risk_topic, pattern from " ~ seed ~ " where role = 'verb'").rows if seed else [] -%}
    (
        true
        {%- for row in rows %}
        and ({{ topic }} != '{{ row[0] }}' or regexp_matches({{ text }}, {{ sql_strings([row[1]]) }}))
        {%- endfor %}
    )
{%- endmacro %}
