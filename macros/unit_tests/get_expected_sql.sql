{# The rows that a unit test expects, in place of dbt's macro of this name: one list of values. #}
{% macro get_expected_sql(rows, column_name_to_data_types) -%}
    {%- if not rows -%}
        select * from dbt_internal_unit_test_actual limit 0
    {%- else -%}
        {%- set names = rows[0] | map('lower') | list -%}
        {%- for row in rows if row | map('lower') | sort != names | sort -%}
            {%- do exceptions.raise_compiler_error('A unit test expects other columns of one row than of another.') -%}
        {%- endfor -%}
        from {{ typed_rows(rows, names, column_name_to_data_types) }}
    {%- endif -%}
{%- endmacro %}
