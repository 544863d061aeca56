{# The number of anchors that a var asks for, as SQL; null for all. #}
{% macro anchor_limit(variable) -%}
    {%- set wanted = setting(variable) | string | trim | lower -%}
    {%- if wanted == 'all' -%}
        null::bigint
    {%- elif wanted.isdigit() -%}
        {{ wanted }}::bigint
    {%- else -%}
        {{ exceptions.raise_compiler_error(
            "var " ~ variable ~ " is '" ~ setting(variable) ~ "': give a number of anchors, 0 or more, or all"
        ) }}
    {%- endif -%}
{%- endmacro %}
