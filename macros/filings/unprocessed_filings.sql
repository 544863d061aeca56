{#
    Subquery: ids of the filings that this model has yet to build. Compares versions instead of asking which filings
    are noted, because a model is compiled before its pre-hook forgets the stale ones.
#}
{% macro unprocessed_filings() -%}
    select versions.filing_id
    from {{ ref('int_filing_versions') }} as versions
    anti join {{ processed_filings() }} as processed
        on versions.filing_id = processed.filing_id
        and processed.model = '{{ this.identifier }}'
        and processed.build_version = {{ build_version('versions') }}
{%- endmacro %}


{#
    Condition on file_path: the files that hold an unprocessed filing, written out, because a list of constants is
    what lets DuckDB skip the other files.
#}
{% macro in_files_of_unprocessed_filings() -%}
    {%- set rows = run_query(
        'select distinct contents.file_path from ' ~ ref('int_filing_contents') ~ ' as contents '
        ~ 'where contents.filing_id in (' ~ unprocessed_filings() ~ ') order by contents.file_path'
    ) -%}
    file_path in ({{ sql_strings(rows.columns[0].values()) }})
{%- endmacro %}


{# SQL string literals of the values, or null where there are none, for use inside `in (…)`. #}
{% macro sql_strings(values) -%}
    {%- for value in values -%}
        '{{ value | replace("'", "''") }}'{{ ', ' if not loop.last }}
    {%- else -%}
        null
    {%- endfor -%}
{%- endmacro %}
