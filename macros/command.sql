{# How a person calls a command where this is built: with make in a clone, else with finrag (finrag.project.front). #}
{% macro command(name) -%}
    {%- do return(env_var('FINRAG_FRONT', 'make') ~ ' ' ~ name) -%}
{%- endmacro %}
