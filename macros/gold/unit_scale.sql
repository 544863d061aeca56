{# How many base units one of a question's unit is: 1e6 for "USD millions", 1 for "%" or none. #}
{% macro unit_scale(unit) -%}
    case
        when contains(lower({{ unit }}), 'thousand') then 1e3
        when contains(lower({{ unit }}), 'million') then 1e6
        when contains(lower({{ unit }}), 'billion') then 1e9
        when contains(lower({{ unit }}), 'trillion') then 1e12
        else 1
    end
{%- endmacro %}
