-- A company is known by the name of its latest filing, and by its ticker where a reference table states one.
with

filings as (

    select * from {{ ref('dim_filings') }}

),

reference_companies as (

    select * from {{ ref('stg_reference__companies') }}
    where coalesce(reason, 'no_name') = 'no_name'

),

company_facts as (

    select * from {{ ref('stg_xbrl__company_facts') }}
    where reason is null

),

stated_tickers as (

    select
        cik,
        ticker,
    from reference_companies

    union

    select
        cik,
        ticker,
    from company_facts

),

tickers as (

    select
        cik,
        min(ticker) as ticker,
    from stated_tickers
    where ticker is not null
    group by cik

),

companies as (

    select
        cik,
        arg_max(company_name, (report_year, filing_id)) as company_name,
        count(*) as filing_count,
        min(report_year) as first_report_year,
        max(report_year) as last_report_year,
        sum(sentence_count)::bigint as sentence_count,
    from filings
    group by cik

),

final as (

    select
        companies.cik,
        companies.company_name,
        tickers.ticker,
        companies.filing_count,
        companies.first_report_year,
        companies.last_report_year,
        companies.sentence_count,
    from companies
    left join tickers
        on companies.cik = tickers.cik

)

select * from final
