-- What each filing calls its fiscal year. report_year is the year in which it ends; of many retailers, the year that ends on
-- February 2, 2025 is fiscal 2024.
--   the filer's own tag (dei:DocumentFiscalYearFocus), if it is one of the two: report_year, or the year before it of a
--     year that ends from January to June. A stale one counts for nothing.
--   else its KPI sentences: a filing of which under a tenth of the dated ones name the report year, what it expects aside,
--     is taken to call its year by that in which it began; of under five such sentences all of its company's are read.
with

filings as (

    select * from {{ ref('dim_filings') }}

),

filing_contents as (

    select * from {{ ref('int_filing_contents') }}

),

html_filings as (

    select * from {{ ref('stg_edgar_html__filings') }}

),

kpi_scan as (

    select * from {{ ref('v1_kpi_scan') }}
    where section_name in ('ITEM_7', 'ITEM_7A', 'ITEM_8')

),

kpi_years as (

    select * from {{ ref('int_kpi_years') }}
    where stated_year is not null

),

sentences as (

    select
        sentence_id,
        filing_id,
        report_year,
        {{ without_heading('sentence_text', 'heading_prefix') }} as sentence_text,
    from {{ ref('fct_sentences') }}
    where sentence_kind in ('prose', 'list_item')

),

-- of whichever copy of a filing has it
tagged as (

    select
        filing_contents.filing_id,
        max({{ whole_number('html_filings.fiscal_year_focus', 'integer') }}) as fiscal_year_focus,
    from filing_contents
    inner join html_filings
        on filing_contents.file_path = html_filings.file_path
    group by filing_contents.filing_id

),

-- What a filing expects names years to come.
dated as (

    select
        sentences.filing_id,
        count(*) as dated_count,
        count(*) filter (where kpi_years.stated_year >= sentences.report_year) as named_count,
    from kpi_scan
    inner join sentences
        on kpi_scan.sentence_id = sentences.sentence_id
    inner join kpi_years
        on kpi_scan.sentence_id = kpi_years.sentence_id
    where not regexp_matches(sentences.sentence_text, '(?i)\b(?:expect\w*|anticipat\w*|plan\w*|will)\b')
    group by sentences.filing_id

),

read as (

    select
        filings.filing_id,
        filings.cik,
        filings.report_year,
        filings.period_end,
        tagged.fiscal_year_focus,
        month(filings.period_end - 7) between 1 and 6 as is_ended_by_june,
        if(
            dated.dated_count >= 5,
            dated.named_count / dated.dated_count,
            sum(dated.named_count) over (partition by filings.cik)
            / sum(dated.dated_count) over (partition by filings.cik)
        ) as named_share,
    from filings
    left join tagged
        on filings.filing_id = tagged.filing_id
    left join dated
        on filings.filing_id = dated.filing_id

),

named as (

    select
        filing_id,
        cik,
        report_year,
        period_end,
        case
            when fiscal_year_focus = report_year then report_year
            when fiscal_year_focus = report_year - 1 and is_ended_by_june then fiscal_year_focus
            when named_share >= 0.1 then report_year
            when named_share < 0.1 then report_year - 1
        end as year_name,
        coalesce(year_name < report_year and is_ended_by_june, false) as is_named_otherwise,
    from read

)

select * from named
