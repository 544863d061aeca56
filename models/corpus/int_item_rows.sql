-- The items of every filing-level source in one shape: typed, with canonical section and filing id.
-- copy_id tells apart two copies of the same filing: in two layouts, two files, or twice in one file.
with

edgar_crawler_items as (

    select * from {{ ref('stg_edgar_crawler__items') }}

),

edgar_corpus_items as (

    select * from {{ ref('stg_edgar_corpus__items') }}

),

edgar_html_items as (

    select
        * exclude (file_version, fiscal_year_focus, items, facts, tables),
        unnest(items, recursive := true),
        'edgar_html' as source,
        1 as source_row,
        null::varchar as filing_date,
    from {{ ref('stg_edgar_html__filings') }}

),

documents as (

    select
        * exclude (file_version, items),
        unnest(items, recursive := true),
        null::varchar as filing_date,
    from {{ ref('stg_documents__filings') }}

),

sections as (

    select * from {{ ref('sections') }}

),

source_rows as (

    select * from edgar_crawler_items

    union all

    select * from edgar_corpus_items

    union all by name

    select * from edgar_html_items

    union all by name

    select * from documents

),

typed as (

    select
        source_rows.* exclude (cik, report_year),
        {{ parse_cik('source_rows.cik') }} as cik,
        -- a document need not state a year
        coalesce(
            {{ parse_report_year('source_rows.report_year') }}, if(source_rows.report_year_source = 'not_stated', 0, null)
        ) as report_year,
        sections.section_id,
        sections.item_label,
    from source_rows
    left join sections
        on sections.item_label
        = coalesce(nullif({{ item_label('source_rows.section_label') }}, ''), source_rows.section_label)

),

identified as (

    select
        * exclude (item_text),
        coalesce(
            doc_id, {{ filing_id('cik', 'form_type', 'report_year') }}, 'unidentified:' || file_path
        ) as filing_id,
        file_path || '#' || source_row as copy_id,
        trim(item_text, e' \t\r\n') as item_text,
    from typed

)

select * from identified
