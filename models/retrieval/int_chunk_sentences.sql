-- What is read of the chunks that a question finds: sentences, in the order in which they come, each once. A sentence is
-- read with the first chunk that holds enough of its characters, and costs all that was read until then: the chunks above,
-- what stands before it in its own, and itself that far.
with

runs as (

    select * from {{ ref('int_chunking_runs') }}

),

hits as (

    select * from {{ ref('int_chunk_hits') }}

),

chunks as (

    select * from {{ ref('int_chunks') }}

),

sentences as (

    select * from {{ ref('int_placed_sentences') }}

),

shares as (

    select unnest(string_split('{{ setting("chunk_min_coverage") }}', ' '))::double as min_coverage

),

chunks_found as (

    select distinct
        runs.chunking,
        hits.chunk_id,
    from hits
    inner join runs
        on hits.run_id = runs.run_id

),

sentences_of_chunks as (

    select
        chunks.chunking,
        chunks.chunk_id,
        sentences.sentence_id,
        sentences.size,
        sentences.start_at,
        greatest(sentences.start_at, chunks.start_at) - chunks.start_at as begins_at,
        least(sentences.start_at + sentences.size, chunks.end_at)
        - greatest(sentences.start_at, chunks.start_at) as held_size,
        chunks.lead_length,
    from chunks
    semi join chunks_found
        on chunks.chunking = chunks_found.chunking
        and chunks.chunk_id = chunks_found.chunk_id
    inner join sentences
        on chunks.document = sentences.document
        and chunks.start_at < sentences.start_at + sentences.size
        and chunks.end_at > sentences.start_at

),

read_sentences as (

    select
        sentences_of_chunks.chunking,
        sentences_of_chunks.chunk_id,
        sentences_of_chunks.sentence_id,
        sentences_of_chunks.start_at,
        shares.min_coverage,
        ceil(
            (
                sentences_of_chunks.lead_length
                + sentences_of_chunks.begins_at
                + ceil(shares.min_coverage * sentences_of_chunks.size)
            ) / 4
        )::bigint as tokens_within,
    from sentences_of_chunks
    inner join shares
        on sentences_of_chunks.held_size >= shares.min_coverage * sentences_of_chunks.size

),

readings as (

    select
        runs.run_id,
        hits.query_id,
        read_sentences.min_coverage,
        read_sentences.sentence_id,
        read_sentences.start_at,
        hits.rank,
        hits.tokens_before + read_sentences.tokens_within as tokens_needed,
    from hits
    inner join runs
        on hits.run_id = runs.run_id
    inner join read_sentences
        on runs.chunking = read_sentences.chunking
        and hits.chunk_id = read_sentences.chunk_id
    qualify row_number() over (
            partition by runs.run_id, hits.query_id, read_sentences.min_coverage, read_sentences.sentence_id
            order by hits.rank
        ) = 1

),

final as (

    select
        run_id,
        query_id,
        min_coverage,
        sentence_id,
        row_number() over (
            partition by run_id, query_id, min_coverage
            order by rank, start_at
        ) as position,
        tokens_needed,
    from readings
    where tokens_needed <= {{ (var('chunk_token_budgets') or [0]) | max }}

)

select * from final
