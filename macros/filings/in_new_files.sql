{#
    Condition on file_path: loaded files that this model, built file by file, does not hold in their present version.
    Compares versions, because a model is compiled before its pre-hook drops what is out of date.
#}
{% macro in_new_files() -%}
    {{- in_files(
        'select files.file_path from ' ~ ref('int_loaded_files') ~ ' as files '
        ~ 'where (files.file_path, ' ~ contents_version('files') ~ ') not in '
        ~ '(select (built.file_path, built.file_version) from ' ~ this ~ ' as built)'
    ) -}}
{%- endmacro %}


{#
    SQL expression for what a file's rows in this model are built from: the file, and the code of the model and of
    everything above it.
#}
{% macro contents_version(files) -%}
    md5({{ files }}.file_version || '{{ lineage_checksum(model.unique_id) }}')
{%- endmacro %}
