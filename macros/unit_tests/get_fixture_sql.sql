{#
    The rows that a unit test gives for an input, in place of dbt's macro of this name. dbt's calls a macro for every
    column and every value, and writes a select of all columns for each row: half of what a unit test took.
#}
{% macro get_fixture_sql(rows, column_name_to_data_types) -%}
    {%- set relation = this -%}
    {%- if not adapter.get_relation(this.database, this.schema, this.identifier) -%}
        {%- set relation = defer_relation -%}
    {%- endif -%}
    {%- if not relation -%}
        {%- do exceptions.raise_compiler_error('A unit test takes the columns of ' ~ this ~ ': it is not there.') -%}
    {%- endif -%}
    {%- set types = column_name_to_data_types or types_of_columns(relation) -%}
    {%- set given = {} -%}
    {%- for row in rows -%}{%- do given.update(row) -%}{%- endfor -%}
    {%- set names = given | map('lower') | list -%}
    select
    {%- for name, type in types.items() %}
        {% if name in names %}{{ name }}{% else %}cast(null as {{ type }}) as {{ name }}{% endif %}
        {%- if not loop.last %},{% endif %}
    {%- endfor %}
    {#- `from range(0)` would do for no rows, but DuckDB 2.0 then fails to bind some conditions on nulls #}
    {% if not rows %}limit 0
    {%- elif names %}from {{ typed_rows(rows, names, types) }}
    {%- else %}from range({{ rows | length }})
    {%- endif %}
{%- endmacro %}
