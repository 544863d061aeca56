{#
    on-run-start: what warehouses of version 0.7 and before call otherwise. source_files moves from corpus to
    staging, since files that it knows are not read again, and gets the columns of 0.9. The others are made anew:
    the problems of each kind of user's file as one table, the quizzes' requests and replies by task as one of each
    stage (replies stay in the ledger, so no call is paid again), what is in questions and was in gold, and steps
    that were public under a name without int_ or are columns of another table. Values that are kept call their
    variant by that name, and no longer gold_predicate, since version 0.8. Documents that were read before their
    headings were kept are read again: dbt adds columns to a table, but no fields to one.
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
    {%- set files = adapter.get_relation(target.database, 'staging', 'source_files') if execute -%}
    {%- if files %}
        {%- do run_query('alter table ' ~ files ~ ' add column if not exists unreadable_rows varchar') %}
        {%- do run_query('alter table ' ~ files ~ ' add column if not exists is_damaged boolean') %}
        {%- do run_query('alter table ' ~ files ~ ' add column if not exists columns_read varchar') %}
    {%- endif %}
    {%- for schema, name in [
        ('answers', 'external_answer_problems'),
        ('retrieval', 'external_hit_problems'),
        ('retrieval', 'rejected_vectors'),
        ('sentiment', 'rejected_sentiment_rows'),
        ('calibration', 'rejected_calibration_rows'),
        ('summaries', 'rejected_pairs'),
        ('summaries', 'int_write_closed_questions_requests'),
        ('summaries', 'int_write_closed_questions_responses'),
        ('summaries', 'int_write_statements_requests'),
        ('summaries', 'int_write_statements_responses'),
        ('summaries', 'int_write_choices_requests'),
        ('summaries', 'int_write_choices_responses'),
        ('summaries', 'int_answer_closed_questions_requests'),
        ('summaries', 'int_answer_closed_questions_responses'),
        ('summaries', 'int_answer_choices_requests'),
        ('summaries', 'int_answer_choices_responses'),
        ('summaries', 'int_judge_statements_requests'),
        ('summaries', 'int_judge_statements_responses'),
        ('metrics', 'judged_runs'),
        ('summaries', 'quiz_runs'),
        ('sentiment', 'sentiment_runs'),
        ('gold', 'query_gold_counts'),
        ('summaries', 'source_sentences'),
        ('retrieval', 'embedding_models_in_use'),
        ('retrieval', 'int_embedding_models_in_use'),
        ('calibration', 'calibration_summaries'),
        ('calibration', 'human_scores'),
        ('calibration', 'judge_scores'),
        ('gold', 'query_strata'),
        ('bundles', 'kpi_fact_agreement'),
        ('bundles', 'int_kpi_fact_shares'),
        ('metrics', 'kpi_tag_agreement'),
        ('metrics', 'int_kpi_tag_shares'),
        ('metrics', 'int_kpi_tag_sentences'),
        ('metrics', 'int_kpi_tagged_facts'),
        ('metrics', 'chunking_metric_values'),
        ('metrics', 'loss_metric_values'),
        ('retrieval', 'external_runs'),
        ('summaries', 'mdna_summaries'),
    ] if execute %}
        {%- set older = adapter.get_relation(target.database, schema, name) %}
        {%- if older %}{% do adapter.drop_relation(older) %}{% endif %}
    {%- endfor %}
    {%- set documents = adapter.get_relation(target.database, 'staging', 'stg_documents__filings') if execute -%}
    {%- if documents and not run_query(
        "select 1 from information_schema.columns where table_catalog = current_database() and table_schema = 'staging' "
        ~ "and table_name = 'stg_documents__filings' and column_name = 'items' and contains(data_type, 'headings')"
    ).rows %}
        {%- do adapter.drop_relation(documents) %}
    {%- endif %}
    {%- for node in graph.get('nodes', {}).values() if node.schema == 'questions' %}
        {%- set older = adapter.get_relation(target.database, 'gold', node.name) %}
        {%- if older %}{% do adapter.drop_relation(older) %}{% endif %}
    {%- endfor %}
    {#- get_columns_in_relation would open a transaction, which dbt takes back after its hooks -#}
    {%- set kept = run_query(
        "select table_name from information_schema.columns where table_schema = 'metrics' and column_name = "
        ~ "'gold_predicate' and table_catalog = current_database() and regexp_matches(table_name, "
        ~ "'^int_(anchor|question|answer|quiz|sentiment)_metric_values$')"
    ).columns[0].values() if execute else [] %}
    {%- for table in kept %}
        {%- do run_query('alter table metrics.' ~ table ~ ' rename column gold_predicate to variant') %}
    {%- endfor %}
{% endmacro %}
