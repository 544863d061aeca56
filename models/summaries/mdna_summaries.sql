-- Filings whose Item 7 has the same text share its summaries.
with

filings as (

    select * from {{ ref('int_mdna_filings') }}
    where is_summarised

),

sources as (

    select * from {{ ref('sources') }}

),

summaries as (

    select * from {{ ref('summaries') }}
    where dataset = 'mdna'

),

mdna_summaries as (

    select
        filings.filing_id,
        filings.cik,
        filings.company_name,
        filings.report_year,
        filings.word_count::bigint as word_count,
        sources.length_stratum,
        summaries.system,
        summaries.provider,
        summaries.is_baseline,
        summaries.replicate,
        summaries.theme,
        summaries.status,
        summaries.is_error,
        summaries.summary_text,
        summaries.summary_word_count,
        summaries.is_right_length,
        summaries.evidence_sentence_ids,
        summaries.chunk_count,
        summaries.cost_usd,
        summaries.summary_id,
    from filings
    inner join sources
        on filings.source_id = sources.source_id
    inner join summaries
        on filings.source_id = summaries.source_id

)

select * from mdna_summaries
