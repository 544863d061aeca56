-- What does a company warn of this year that it did not say the last time?
-- Risk sentences whose text is in no filing of the last year before in which the company states its risk factors, those with
-- most cues first. An amendment is of its year, as is what it amends.
with

risk_atlas as (

    select * from {{ ref('v2_risk_atlas') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}

),

years_with_risks as (

    select distinct
        cik,
        report_year,
    from sentences
    where section_id = 'ITEM_1A'

),

previous_years as (

    select
        cik,
        report_year,
        lag(report_year) over (
            partition by cik
            order by report_year
        ) as previous_year,
    from years_with_risks

),

risk_sentences as (

    select
        risk_atlas.*,
        sentences.cik,
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
inner join previous_years
    on risk_sentences.cik = previous_years.cik
    and risk_sentences.report_year = previous_years.report_year
anti join sentences as previous_sentences
    on previous_years.cik = previous_sentences.cik
    and previous_years.previous_year = previous_sentences.report_year
    and risk_sentences.text_hash = previous_sentences.text_hash
where previous_years.previous_year is not null
order by
    risk_sentences.name,
    risk_sentences.report_year desc,
    risk_sentences.risk_cue_count desc,
    risk_sentences.sentence_id
