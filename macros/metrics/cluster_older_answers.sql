{#
    Post-hook of metrics.answer_items: rows of runs that were scored when cluster_id was called question_cluster.
#}
{% macro cluster_older_answers() -%}
    {%- if 'question_cluster' in adapter.get_columns_in_relation(this) | map(attribute='name') -%}
        update {{ this }} set cluster_id = question_cluster where cluster_id is null
    {%- endif -%}
{%- endmacro %}
