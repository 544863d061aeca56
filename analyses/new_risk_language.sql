-- What does a company warn of this year that its previous filing did not say?
-- Risk sentences whose text is not in the company's previous filing in the corpus, those with most cues first.
with

risk_atlas as (

    select * from {{ ref('v2_risk_atlas') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}

),

filings as (

    select * from {{ ref('dim_filings') }}

),

previous_filings as (

    select
        filing_id,
        lag(filing_id) over (
            partition by cik
            order by report_year, filing_id
        ) as previous_filing_id,
    from filings

),

risk_sentences as (

    select
        risk_atlas.*,
        sentences.text_hash,
    from risk_atlas
    inner join sentences
        on risk_atlas.sentence_id = sentences.sentence_id
    where risk_atlas.is_primary

)

select
    risk_sentences.name,
    risk_sentences.report_year,
    risk_sentences.risk_topic,
    risk_sentences.risk_cue_count,
    risk_sentences.sentence_text,
from risk_sentences
inner join previous_filings
    on risk_sentences.filing_id = previous_filings.filing_id
anti join sentences as previous_sentences
    on previous_filings.previous_filing_id = previous_sentences.filing_id
    and risk_sentences.text_hash = previous_sentences.text_hash
where previous_filings.previous_filing_id is not null
order by
    risk_sentences.name,
    risk_sentences.report_year desc,
    risk_sentences.risk_cue_count desc,
    risk_sentences.sentence_id
