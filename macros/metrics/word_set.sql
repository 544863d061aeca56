{# The words of a text, each once, in lower case and with every number as 0: what two sentences of one template share. #}
{% macro word_set(text) -%}
    list_distinct(regexp_extract_all(regexp_replace(lower({{ text }}), '[0-9][0-9.,]*', '0', 'g'), '[a-z0-9]+'))
{%- endmacro %}
