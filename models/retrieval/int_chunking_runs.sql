-- One question suite searched in the chunks of one chunking by one embedding model is a run. Its id is a hash of all that
-- decides its hits, so that one that was done before is recognised.
with

gold_versions as (

    select * from {{ ref('int_question_gold_versions') }}
    where query_count > 0

),

-- a suite that names pages or documents and quotes nothing has no evidence that a chunk could hold
quoting_suites as (

    select distinct suite
    from {{ ref('int_question_gold_counts') }}
    where gold_predicate = 'evidence'

),

chunk_indexes as (

    select * from {{ ref('int_chunk_index') }}
    where chunk_count > 0

),

final as (

    select
        md5(to_json([
            'chunking', gold_versions.suite, chunk_indexes.chunking, chunk_indexes.embedding_model,
            chunk_indexes.fingerprint, chunk_indexes.checksum, gold_versions.corpus_version, gold_versions.gold_version,
            '{{ var("chunk_token_budgets") }}'
        ])::varchar)[:16] as run_id,
        gold_versions.suite,
        'open' as regime,
        'dense' as strategy,
        chunk_indexes.chunking,
        chunk_indexes.embedding_model,
        chunk_indexes.chunk_count,
        chunk_indexes.median_tokens,
        chunk_indexes.truncated_count,
    from gold_versions
    inner join quoting_suites
        on gold_versions.suite = quoting_suites.suite
    cross join chunk_indexes

)

select * from final
