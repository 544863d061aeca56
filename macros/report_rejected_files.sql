{# on-run-end: name the files that were not loaded, with the reason, where the eye falls: at the end of the output. #}
{% macro report_rejected_files(results) -%}
    {%- if execute and results | selectattr('node.name', 'equalto', 'source_files') | list -%}
        {%- set files = adapter.get_relation(target.database, 'corpus', 'source_files') -%}
        {%- set rejected = run_query("select file_path, reason from " ~ files ~ " where status = 'rejected' order by file_path") if files else none -%}
        {%- if rejected and rejected.rows -%}
            {%- do log(rejected.rows | length ~ ' source file(s) could not be loaded and were left out (corpus.source_files):', info=true) -%}
            {%- for row in rejected.rows -%}
                {%- do log('  ' ~ row[0] ~ ': ' ~ row[1], info=true) -%}
            {%- endfor -%}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}
