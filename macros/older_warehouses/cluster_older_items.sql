{#
    Post-hook of metrics.retrieval_items: rows of runs that were scored before cluster_id was a column get it from their
    filing_id, which begins with the company's number (a question's is the question itself). What they were drawn with is
    not known any more, so their sampling_weight and second_cluster_id stay null.
#}
{% macro cluster_older_items() -%}
    update {{ this }}
    set cluster_id = if(
        suite in ('p1', 'p2'),
        coalesce(try_cast(split_part(filing_id, '_', 1) as bigint)::varchar, filing_id),
        filing_id
    )
    where cluster_id is null
{%- endmacro %}
