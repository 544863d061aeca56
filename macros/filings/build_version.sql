{#
    SQL expression for what a filing's rows in this model are built from: the filing's content (filing_version), and
    the code of the model and of everything above it, seeds included. When any of them changes, so does it.
#}
{% macro build_version(filing_versions) -%}
    md5({{ filing_versions }}.filing_version || '{{ lineage_checksum(model.unique_id) }}')
{%- endmacro %}


{# One checksum over the files of a node and of all nodes above it. Macros are not part of it. #}
{% macro lineage_checksum(unique_id) -%}
    {%- set checksums = [] -%}
    {%- if execute -%}
        {%- set seen = [unique_id] -%}
        {#- the list grows while it is walked, which visits the whole lineage -#}
        {%- for node_id in seen -%}
            {%- set node = graph.nodes[node_id] -%}
            {%- do checksums.append(node.checksum.checksum) -%}
            {%- for parent_id in node.depends_on.nodes or [] if parent_id not in seen -%}
                {%- do seen.append(parent_id) -%}
            {%- endfor -%}
        {%- endfor -%}
    {%- endif -%}
    {{ local_md5(checksums | sort | join('|')) }}
{%- endmacro %}
