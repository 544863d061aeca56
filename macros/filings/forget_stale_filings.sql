{#
    Pre-hook of models built filing by filing: drop the rows of filings that were removed or replaced, or that were
    built by an earlier version of the model or of its registries. Runs in the model's own transaction.
#}
{% macro forget_stale_filings() -%}
    {%- if execute -%}
    {%- set processed = processed_filings() -%}
    {%- if is_incremental() -%}
        {%- do run_query(
            "delete from " ~ processed ~ " as processed where processed.model = '" ~ this.identifier ~ "' and not exists ("
            ~ "select 1 from " ~ ref('int_filing_versions') ~ " as versions where versions.filing_id = processed.filing_id and "
            ~ build_version('versions') ~ " = processed.build_version)"
        ) -%}
        delete from {{ this }} where filing_id not in (
            select processed.filing_id from {{ processed }} as processed where processed.model = '{{ this.identifier }}'
        )
    {%- else -%}
        delete from {{ processed }} where model = '{{ this.identifier }}'
    {%- endif -%}
    {%- endif -%}
{%- endmacro %}
