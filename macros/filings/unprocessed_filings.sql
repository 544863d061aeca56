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
    Where a model reads source rows: those of unprocessed filings, in the files that hold one, if it was built before.
    int_filing_contents is named outside of that condition, so that dbt knows of it when it parses.
#}
{% macro where_unprocessed() -%}
    {%- set contents = ref('int_filing_contents') -%}
    {%- if is_incremental() -%}
    where
        {{ in_files(
            'select contents.file_path from ' ~ contents ~ ' as contents '
            ~ 'where contents.filing_id in (' ~ unprocessed_filings() ~ ')'
        ) }}
        and filing_id in ({{ unprocessed_filings() }})
    {%- endif -%}
{%- endmacro %}


{#
    Condition on file_path: the files that a query gives. A list of constants lets DuckDB skip the other files whatever
    their format, so up to files_written are written out. Of more the query itself stands there, a join with a table
    that may hold 220,000 paths, of which DuckDB makes a filter of its own for Parquet.
#}
{% macro in_files(paths, files_written=1000) -%}
    {%- set rows = run_query(
        'select distinct file_path from (' ~ paths ~ ') as paths order by file_path limit ' ~ (files_written + 1)
    ) -%}
    {%- set found = rows.columns[0].values() -%}
    file_path in (
    {%- if found | length > files_written %}{{ paths }}{% else %}{{ sql_strings(found) }}{% endif -%}
    )
{%- endmacro %}


{# SQL string literals of the values, or null where there are none, for use inside `in (…)`. #}
{% macro sql_strings(values) -%}
    {%- for value in values -%}
        '{{ value | replace("'", "''") }}'{{ ', ' if not loop.last }}
    {%- else -%}
        null
    {%- endfor -%}
{%- endmacro %}
