-- What was wrong with the files of users, whatever kind they are of. corpus.rejected_rows and staging.source_files say the
-- same of the corpus. The rows of hits are told by the models that rank them, since what is wrong with a hit depends on
-- the queries and on the other hits.
{%- set loaders = [
    ('answers', 'int_external_answers', 'external_run', "suite || ':' || question_id", 'null', 'question_text'),
    ('calibration', 'int_calibration_rows', 'dataset', 'source_id', 'null', 'null'),
    ('calibration', 'int_unshared_labels', 'dataset', 'judge', 'null', 'null'),
    ('chunks', 'int_external_chunks', 'chunking', 'document', 'null', 'chunk_text'),
    ('facts', 'stg_reference__companies', "'companies'", 'stated_cik', 'null', 'null'),
    ('facts', 'stg_xbrl__company_facts', "'company_facts'", 'metric_key', 'null', 'null'),
    ('headlines', 'int_sentiment_rows', 'dataset', 'source_id', 'null', 'headline_text'),
    ('hits', 'int_anchor_external_rows', 'external_run', 'query_id', 'sentence_id', 'null'),
    ('hits', 'int_question_external_rows', 'external_run', 'query_id', 'sentence_id', 'null'),
    ('replies', 'int_external_sentiment', 'system', 'source_id', 'null', 'raw_text'),
    ('suites', 'int_external_questions', 'suite', 'question_id', 'null', "record ->> '$.question_text'"),
    ('suites', 'int_unfound_evidence', 'suite', 'question_id', 'null', 'piece'),
    ('summaries', 'int_summary_pairs', 'dataset', 'system', 'null', 'null'),
    ('tagged_facts', 'int_tagged_facts', "'edgar_html'", 'concept', 'sentence_id', 'value_text'),
    ('vectors', 'int_rejected_vectors', 'model_id', 'key', "if(key_column = 'sentence_id', key, null)", 'null'),
] %}
with

problems as (

    {%- for input, loader, name, item_id, sentence_id, row_text in loaders %}

        select
            '{{ input }}' as input,
            {{ name }} as name,
            {{ 'regime' if input == 'hits' else 'null' }}::varchar as regime,
            file_path,
            source_row::bigint as source_row,
            {{ item_id }}::varchar as item_id,
            {{ sentence_id }}::varchar as sentence_id,
            ({{ row_text }})::varchar as row_text,
            reason,
            detail,
        from {{ ref(loader) }}
        where reason is not null
        {%- if not loop.last %}

            union all
        {%- endif %}
    {%- endfor %}

)

select * from problems
