{# Whether a text only points elsewhere ("See Note 12."), by seeds.cross_reference_patterns. #}
{% macro is_cross_reference(text) -%}
    {%- set rules = label_rules('cross_reference_patterns', "'cross_reference'") -%}
    {%- if rules -%}
        regexp_matches({{ without_excluded(text, rules[0]) }}, {{ rules[0].include }})
    {%- else -%}
        false
    {%- endif -%}
{%- endmacro %}
