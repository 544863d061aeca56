{# Fewest and most words of a general summary, as the seed's generic summary asks for. #}
{% macro general_summary_words() -%}
    {{ return([100, 150]) }}
{%- endmacro %}
