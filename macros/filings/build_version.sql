{#
    SQL expression for what a filing's rows in this model are built from: the filing's content (filing_version), and
    the code of the model and of everything above it, seeds included. When any of them changes, so does it.
#}
{% macro build_version(filing_versions) -%}
    md5({{ filing_versions }}.filing_version || '{{ lineage_checksum(model.unique_id) }}')
{%- endmacro %}


{#
    One checksum over the files of a node, of all nodes above it, and of the macros that they call. Registries whose rows
    the ids of runs hold (meta.is_in_run_ids) are left out: a further row changes nothing for the runs of the others.
#}
{% macro lineage_checksum(unique_id) -%}
    {%- set checksums = [] -%}
    {%- if execute -%}
        {%- set seen = [unique_id] -%}
        {%- set called = [] -%}
        {#- the list grows while it is walked, which visits the whole lineage -#}
        {%- for node_id in seen -%}
            {%- set node = graph.nodes[node_id] -%}
            {%- if not node.config.meta.get('is_in_run_ids') -%}
                {%- do checksums.append(node.checksum.checksum) -%}
            {%- endif -%}
            {%- do called.extend(node.depends_on.macros or []) -%}
            {%- for parent_id in node.depends_on.nodes or [] if parent_id not in seen -%}
                {%- do seen.append(parent_id) -%}
            {%- endfor -%}
        {%- endfor -%}
        {%- do checksums.extend(macro_checksums(called)) -%}
    {%- endif -%}
    {{ local_md5(checksums | sort | join('|')) }}
{%- endmacro %}


{#
    Checksums of the files that hold these macros of ours, and those that they call in turn. dbt does not tell a macro
    its text, so the files are read where dbt finds them.
#}
{% macro macro_checksums(unique_ids) -%}
    {%- set texts = {} -%}
    {%- for file in run_query("select content from read_text('" ~ env_var('DBT_PROJECT_DIR', '.') ~ "/macros/**/*.sql')").rows -%}
        {%- for name in modules.re.findall('macro\\s+(\\w+)\\s*\\(', file[0]) -%}
            {%- do texts.update({name: file[0]}) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set called = [] -%}
    {%- for unique_id in unique_ids | unique if unique_id.startswith('macro.' ~ project_name ~ '.') -%}
        {%- do called.append(unique_id.split('.') | last) -%}
    {%- endfor -%}
    {#- a file is looked through once, whatever number of macros it holds -#}
    {%- set checksums = {} -%}
    {%- for name in called if texts[name] not in checksums -%}
        {%- do checksums.update({texts[name]: local_md5(texts[name])}) -%}
        {%- for other in modules.re.findall('\\b(\\w+)\\s*\\(', texts[name]) if other in texts and other not in called -%}
            {%- do called.append(other) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do return(checksums.values() | list) -%}
{%- endmacro %}
