{# A company's registered name without the state and the legal form that registers add: "MICROSOFT CORP" is "MICROSOFT". #}
{% macro core_company_name(name) -%}
    trim(regexp_replace(
        trim(regexp_replace({{ name }}, '(?:\s+[/\\].*|[/\\](?:[A-Z]{2,3}[/\\]?)?\s*)$', '')), '(?i)(?:[, ]+(?:& |and )?{{ legal_form() }})+$', ''
    ), ' &,')
{%- endmacro %}


{# Pattern of one legal form at the end of a name. #}
{% macro legal_form() -%}
    (?:inc|incorporated|corp|corporation|co|company|companies|ltd|limited|plc|llc|l\.p|lp)\b\.?
{%- endmacro %}


{# What is compared of a company's name: letters and digits of its core, null where it has none. #}
{% macro name_letters(name) -%}
    nullif(regexp_replace(lower({{ core_company_name(name) }}), '[^\p{L}\p{N}]', '', 'g'), '')
{%- endmacro %}
