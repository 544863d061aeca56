{#
    A number drawn from the values, the same on every machine and with every version of DuckDB, whose hash() promises
    neither. Values are told apart from their neighbours: (ab, c) and (a, bc) differ, and so do null and empty.
#}
{% macro stable_hash(values) -%}
    md5_number_lower(concat_ws(
        '|',
        {%- for value in values %}
        coalesce({{ value }}::varchar, '\0'){{ ',' if not loop.last }}
        {%- endfor %}
    ))
{%- endmacro %}
