{#
    A unit test, in place of dbt's: the types of the columns are asked of the query itself. dbt makes a table of it for
    that, without rows, and drops it again.
#}
{% materialization unit, adapter = 'duckdb' %}
    {%- set types = types_of_columns('(\n' ~ sql ~ '\n)') -%}
    {%- set rows = config.get('expected_rows') -%}
    {%- set expected = config.get('expected_sql') or get_expected_sql(rows, types) -%}
    {%- call statement('main', fetch_result=True) -%}
        {{ get_unit_test_sql(sql, expected, (rows[0] if rows else types).keys()) }}
    {%- endcall -%}
    {{ return({'relations': []}) }}
{% endmaterialization %}
