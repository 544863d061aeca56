{# How many positions away from an anchor gold of any suite may stand. #}
{% macro widest_window() -%}
    {%- do return((var('p1_windows') + [var('p2_window_max')]) | max) -%}
{%- endmacro %}
