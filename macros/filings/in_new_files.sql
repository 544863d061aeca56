{# Condition on file_path: loaded files that this model, built file by file, does not hold yet, written out. #}
{% macro in_new_files() -%}
    {%- set rows = run_query(
        'select files.file_path from ' ~ ref('int_loaded_files') ~ ' as files '
        ~ 'where files.file_path not in (select built.file_path from ' ~ this ~ ' as built) order by files.file_path'
    ) -%}
    file_path in ({{ sql_strings(rows.columns[0].values()) }})
{%- endmacro %}
