{#
    on-run-start: up to version 0.7 source_files stood in corpus, and each kind of user's file had a table of problems of
    its own. source_files moves, since files that it knows are not read again; the others are made anew as one.
#}
{% macro move_older_tables() %}
    {%- set older_files = adapter.get_relation(target.database, 'corpus', 'source_files') if execute -%}
    {%- if older_files %}
        {%- set newer = api.Relation.create(
            database=target.database, schema='staging', identifier='source_files', type='table'
        ) %}
        {%- if not adapter.get_relation(target.database, 'staging', 'source_files') %}
            {%- do adapter.create_schema(newer) %}
            {%- do run_query('create table ' ~ newer ~ ' as select * from ' ~ older_files) %}
            {%- do adapter.cache_added(newer) %}
        {%- endif %}
        {%- do adapter.drop_relation(older_files) %}
    {%- endif %}
    {%- for schema, name in [
        ('answers', 'external_answer_problems'),
        ('retrieval', 'external_hit_problems'),
        ('retrieval', 'rejected_vectors'),
        ('sentiment', 'rejected_sentiment_rows'),
        ('calibration', 'rejected_calibration_rows'),
        ('summaries', 'rejected_pairs'),
    ] if execute %}
        {%- set older = adapter.get_relation(target.database, schema, name) %}
        {%- if older %}{% do adapter.drop_relation(older) %}{% endif %}
    {%- endfor %}
{% endmacro %}
