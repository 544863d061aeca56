{#
    The rows of every loaded file of one layout, as the columns named, all text, plus file_path and source_row
    (1-based position in its file). Files of the layout may be Parquet, CSV or JSON and may lack some of the columns.

    The file list is written into the statement so that a filter on file_path prunes whole files.
#}
{% macro read_corpus_files(layout, columns) -%}
{%- set files_by_format = loaded_files(layout) -%}
    select
        {% for column in columns -%}
        null::varchar as {{ column }},
        {% endfor -%}
        null::varchar as file_path,
        null::bigint as source_row
    where false
{%- for file_format, paths in files_by_format.items() %}

    union all by name

{% if file_format == 'parquet' %}
    select
        {{ present_columns(columns, 'parquet', paths) }}
        file_path,
        file_row_number + 1 as source_row
    from read_parquet({{ paths }}, union_by_name = true, filename = 'file_path', file_row_number = true)
{% elif file_format == 'json' %}
    select
        *,
        row_number() over (partition by file_path) as source_row
    from read_json(
        {{ paths }},
        columns = { {%- for column in columns %}'{{ column }}': 'VARCHAR'{{ ', ' if not loop.last }}{% endfor -%} },
        filename = 'file_path',
        maximum_object_size = 268435456
    )
{% else %}
    select
        {{ present_columns(columns, 'csv', paths) }}
        file_path,
        row_number() over (partition by file_path) as source_row
    from read_csv({{ paths }}, {{ csv_dialect() }}, union_by_name = true, filename = 'file_path')
{% endif %}
{%- endfor %}
{%- endmacro %}


{# {format: SQL list of paths} of the loaded files of a layout; empty before source_files was first built. #}
{% macro loaded_files(layout) %}
    {%- set found = {} -%}
    {%- if execute -%}
        {%- set files = adapter.get_relation(target.database, 'corpus', 'source_files') -%}
        {%- if files is not none -%}
            {%- set rows = run_query(
                "select file_format, '[' || string_agg('''' || replace(file_path, '''', '''''') || '''', ', ' order by file_path) || ']' "
                ~ "from " ~ files ~ " where layout = '" ~ layout ~ "' and status = 'loaded' group by file_format order by file_format"
            ) -%}
            {%- for row in rows.rows -%}
                {%- do found.update({row[0]: row[1]}) -%}
            {%- endfor -%}
        {%- endif -%}
    {%- endif -%}
    {%- do return(found) -%}
{% endmacro %}


{# Those of the columns that at least one of the files has; `union all by name` fills the others with null. #}
{% macro present_columns(columns, file_format, paths) %}
    {%- set table_function = 'read_parquet(' ~ paths ~ ', union_by_name = true)' if file_format == 'parquet'
        else 'read_csv(' ~ paths ~ ', ' ~ csv_dialect() ~ ', union_by_name = true)' -%}
    {%- set rows = run_query('select lower(column_name) from (describe select * from ' ~ table_function ~ ')') -%}
    {%- set present = rows.columns[0].values() -%}
    {%- for column in columns if column | lower in present -%}
        {{ column }}::varchar as {{ column }},
        {% endfor -%}
{% endmacro %}


{# How CSV files are read, the same as finrag.corpus.sources.CSV_DIALECT: stated rather than sniffed. #}
{% macro csv_dialect() -%}
    all_varchar = true, header = true, delim = ',', quote = '"', escape = '"'
{%- endmacro %}
