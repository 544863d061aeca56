-- A figure is a number of a table as it is seen. Its tag is the first that the filer set in the cell; its sentence is the
-- one in which the letters of its row begin.
with

html_filings as (

    select * from {{ ref('stg_edgar_html__filings') }}

),

table_rows as (

    select * from {{ ref('int_table_rows') }}

),

sentence_letters as (

    select * from {{ ref('int_sentence_letters') }}

),

tagged_facts as (

    select
        cell_id,
        min_by(fact_id, source_row) as fact_id,
        min_by(concept, source_row) as concept,
    from {{ ref('int_tagged_facts') }}
    where
        reason is null
        and cell_id is not null
    group by cell_id

),

filing_tables as (

    select
        file_path,
        unnest(tables) as filing_table,
    from html_filings

),

figures as (

    select
        file_path,
        filing_table.table_no,
        unnest(filing_table.figures, recursive := true),
    from filing_tables

),

rows_in_sentences as (

    select
        table_rows.* exclude (item_start, item_end),
        sentence_letters.sentence_id,
    from table_rows
    asof left join sentence_letters
        on table_rows.filing_id = sentence_letters.filing_id
        and table_rows.section_id = sentence_letters.section_id
        and table_rows.item_start >= sentence_letters.item_start

),

final as (

    select
        concat_ws('_', table_rows.table_id, figures.row_no, figures.column_no) as cell_id,
        table_rows.table_id,
        table_rows.filing_id,
        table_rows.section_id,
        figures.row_no,
        figures.column_no,
        nullif(figures.row_label, '') as row_label,
        nullif(figures.column_header, '') as column_header,
        figures.value_text,
        figures.value,
        figures.unit,
        figures.scale,
        figures.period_end::date as period_end,
        figures.period_year,
        table_rows.sentence_id,
        table_rows.row_sentence_id,
        tagged_facts.concept,
        tagged_facts.fact_id,
    from figures
    inner join rows_in_sentences as table_rows
        on figures.file_path = table_rows.file_path
        and figures.table_no = table_rows.table_no
        and figures.row_no = table_rows.row_no
    left join tagged_facts
        on concat_ws('_', table_rows.table_id, figures.row_no, figures.column_no) = tagged_facts.cell_id

)

select * from final
