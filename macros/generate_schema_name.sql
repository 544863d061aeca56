{# A model's schema is the name of its folder, with no target prefix: analysts write corpus.fct_sentences. #}
{% macro generate_schema_name(custom_schema_name, node) -%}
    {{ (custom_schema_name or target.schema) | trim }}
{%- endmacro %}
