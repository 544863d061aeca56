{#
    A metric of a long table of values as columns of a wide one: the figure, the ends of its 95 % interval, and with
    counted how many items it is made of. No figure of a scorecard stands without them, but for what its description sends
    elsewhere.
#}
{% macro side_by_side(metric, k=none, name=none, counted=false, prefix='', relation=none) -%}
{%- set name = name or metric -%}
{%- set of = relation ~ '.' if relation else '' -%}
{%- set chosen = of ~ "metric = '" ~ metric ~ "'" ~ (' and ' ~ of ~ 'k = ' ~ k if k is not none else '') -%}
any_value({{ of }}{{ prefix }}value) filter (where {{ chosen }}) as {{ name }},
        any_value({{ of }}{{ prefix }}ci_low) filter (where {{ chosen }}) as {{ name }}_ci_low,
        any_value({{ of }}{{ prefix }}ci_high) filter (where {{ chosen }}) as {{ name }}_ci_high
        {%- if counted %},
        any_value({{ of }}n_measured) filter (where {{ chosen }}) as {{ name }}_n
        {%- endif %}
{%- endmacro %}
