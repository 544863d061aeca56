{#
    Drop what is left in schema main, where no model of ours stands: dbt-duckdb builds an incremental Python model in a
    table there, named after the model and the time, and keeps it after the rows are in place.
#}
{% macro drop_leftovers() %}
    {%- if execute %}
        {%- set leftovers = run_query(
            "select table_name from information_schema.tables where table_catalog = current_database()"
            ~ " and table_schema = 'main' and regexp_matches(table_name, '__dbt_tmp\\d{14,}$')"
        ) %}
        {%- for row in leftovers.rows %}
            {%- do run_query('drop table if exists main."' ~ row[0] ~ '"') %}
        {%- endfor %}
    {%- endif %}
{% endmacro %}
