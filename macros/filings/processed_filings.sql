{# The table that notes which filings each model was built from; created at the start of every run. #}
{% macro processed_filings() -%}
    {{ api.Relation.create(database=target.database, schema='corpus', identifier='processed_filings') }}
{%- endmacro %}


{# on-run-start: one row per model and filing that the model holds, with the version it was built from. #}
{% macro create_processed_filings() -%}
    create schema if not exists corpus;
    create table if not exists {{ processed_filings() }} (
        model varchar not null,
        filing_id varchar not null,
        build_version varchar not null
    )
{%- endmacro %}
