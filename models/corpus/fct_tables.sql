with

html_filings as (

    select * from {{ ref('stg_edgar_html__filings') }}

),

table_rows as (

    select
        table_id,
        filing_id,
        table_no,
        any_value(cik) as cik,
        any_value(company_name) as company_name,
        any_value(report_year) as report_year,
        any_value(file_path) as file_path,
        any_value(section_id) as section_id,
        count(*) as row_count,
    from {{ ref('int_table_rows') }}
    group by table_id, filing_id, table_no

),

filing_tables as (

    select
        file_path,
        unnest(tables) as filing_table,
    from html_filings

),

final as (

    select
        table_rows.table_id,
        table_rows.filing_id,
        table_rows.cik,
        coalesce(table_rows.company_name, 'CIK ' || table_rows.cik) as company_name,
        table_rows.report_year,
        table_rows.section_id,
        table_rows.table_no,
        filing_tables.filing_table.title,
        nullif(filing_tables.filing_table.caption, '') as caption,
        filing_tables.filing_table.scale,
        filing_tables.filing_table.scale_source,
        table_rows.row_count,
        len(filing_tables.filing_table.figures) as cell_count,
    from table_rows
    inner join filing_tables
        on table_rows.file_path = filing_tables.file_path
        and table_rows.table_no = filing_tables.filing_table.table_no

)

select * from final
