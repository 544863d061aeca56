{# A text with runs of spaces made one. Few texts have runs, so the regular expression runs only where there is one. #}
{% macro single_spaced(text) -%}
    trim(case when contains({{ text }}, '  ') then regexp_replace({{ text }}, ' +', ' ', 'g') else {{ text }} end)
{%- endmacro %}
