{# Post-hook of fct_sentences: a filing added or removed changes how often its texts occur in the filings already built. #}
{% macro recount_duplicates() -%}
    {%- if is_incremental() -%}
    update {{ this }} as sentences
    set duplicate_count = text_counts.duplicate_count
    from (
        select text_hash, count(*) as duplicate_count
        from {{ this }}
        group by text_hash
    ) as text_counts
    where
        sentences.text_hash = text_counts.text_hash
        and sentences.duplicate_count != text_counts.duplicate_count
    {%- endif -%}
{%- endmacro %}
