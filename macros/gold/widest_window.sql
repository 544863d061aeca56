{#
    How many positions away from an anchor gold of any suite may stand. A macro, since dbt 1.10 cannot render a model that
    names a var itself in a unit test that sets it.
#}
{% macro widest_window() -%}
    {%- do return((var('p1_windows') + [var('p2_window_max')]) | max) -%}
{%- endmacro %}
