{# Post-hook of models built filing by filing: note what was built, in the transaction that built it. #}
{% macro remember_filings() -%}
    {#- named outside the condition, so that dbt sees the dependency whatever the command -#}
    {%- set filing_versions = ref('int_filing_versions') -%}
    {%- if invocation_args_dict.get('empty') -%}
        -- `--empty` builds no rows, so nothing may count as built
        delete from {{ processed_filings() }} where model = '{{ this.identifier }}'
    {%- else -%}
        insert into {{ processed_filings() }} (model, filing_id, build_version)
        select
            '{{ this.identifier }}',
            versions.filing_id,
            {{ build_version('versions') }}
        from {{ filing_versions }} as versions
        where versions.filing_id not in (
            select processed.filing_id from {{ processed_filings() }} as processed where processed.model = '{{ this.identifier }}'
        )
    {%- endif -%}
{%- endmacro %}
