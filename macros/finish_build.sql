{#
    on-run-end of `dbt build`: when this build ended and how much of it failed, where it came as far as metrics.builds. A gate
    that it could not decide is dropped: that of an earlier build would be taken for it.
#}
{% macro finish_build(results) -%}
    {%- if execute and flags.WHICH == 'build' -%}
        {%- set broken = ['error', 'skipped', 'runtime error'] -%}
        {%- for result in results if result.node.unique_id == 'model.finrag.gate' and result.status | string in broken -%}
            {%- do run_query("drop table if exists " ~ result.node.relation_name) -%}
        {%- endfor -%}
        {%- set builds = adapter.get_relation(target.database, 'metrics', 'builds') -%}
        {%- if builds is not none -%}
            {%- set failed = [] -%}
            {%- for result in results if result.status | string in ('error', 'fail', 'skipped', 'runtime error') -%}
                {%- do failed.append(result.node.name) -%}
            {%- endfor -%}
            {%- do run_query(
                "update " ~ builds ~ " set finished_at = current_timestamp, n_failed = " ~ failed | length
                ~ " where build_id = '" ~ invocation_id ~ "'"
            ) -%}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}
