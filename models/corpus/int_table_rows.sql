-- Rows of tables written out so that each can be understood alone, of the items that are in the corpus. They are searched
-- beside the sentences, and stand behind those of their item.
with

html_filings as (

    select * from {{ ref('stg_edgar_html__filings') }}

),

filing_versions as (

    select * from {{ ref('int_filing_versions') }}

),

rejected_rows as (

    select * from {{ ref('rejected_rows') }}

),

sections as (

    select * from {{ ref('sections') }}

),

filing_tables as (

    select
        filing_versions.filing_id,
        filing_versions.cik,
        filing_versions.company_name,
        filing_versions.report_year,
        filing_versions.source,
        html_filings.file_path,
        unnest(html_filings.tables) as filing_table,
    from html_filings
    inner join filing_versions
        on html_filings.file_path = filing_versions.file_path
        and filing_versions.source = 'edgar_html'

),

table_rows as (

    select
        * exclude (filing_table),
        filing_table.table_no,
        unnest(filing_table.rows, recursive := true),
    from filing_tables

),

identified as (

    select
        table_rows.* exclude (section_label),
        sections.section_id,
        concat_ws('_', table_rows.filing_id, 'table', table_rows.table_no) as table_id,
        concat_ws(
            '_', table_rows.filing_id, 'section', sections.item_label, 'row', table_rows.table_no, table_rows.row_no
        ) as row_sentence_id,
        -- no position of a sentence: items have fewer
        1000000 + 1000 * table_rows.table_no + table_rows.row_no as sentence_pos,
    from table_rows
    inner join sections
        on table_rows.section_label = sections.item_label
    anti join rejected_rows
        on table_rows.file_path = rejected_rows.file_path
        and table_rows.section_label = rejected_rows.section_label

)

select * from identified
