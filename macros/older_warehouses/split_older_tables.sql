{#
    on-run-start: up to version 0.6 one table each held the runs of anchors and of questions. Their rows go to the tables
    of either, because earlier runs cannot be repeated once the corpus has moved on.
#}
{% macro split_older_tables() %}
    {%- set tables = [
        ('retrieval', 'int_retrieval_hits', 'hits'),
        ('metrics', 'retrieval_items', 'items'),
        ('metrics', 'int_metric_values', 'metric_values'),
        ('retrieval', 'int_run_history', 'run_history'),
    ] %}
    {%- if execute and adapter.get_relation(target.database, 'retrieval', 'int_run_history') %}
        {%- for schema, name, what in tables if adapter.get_relation(target.database, schema, name) %}
            {%- set older = adapter.get_relation(target.database, schema, name) %}
            {%- for kind, condition in [('anchor', "in ('p1', 'p2')"), ('question', "not in ('p1', 'p2')")] %}
                {%- set newer = api.Relation.create(
                    database=target.database, schema=schema, identifier='int_' ~ kind ~ '_' ~ what, type='table'
                ) %}
                {%- do run_query(
                    'create table ' ~ newer ~ ' as select * from ' ~ older ~ ' where run_id in (select run_id from '
                    ~ 'retrieval.int_run_history where suite ' ~ condition ~ ')'
                ) %}
                {%- do adapter.cache_added(newer) %}
            {%- endfor %}
            {%- do adapter.drop_relation(older) %}
        {%- endfor %}
    {%- endif %}
{% endmacro %}
