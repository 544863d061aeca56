{% set items = ['1', '1A', '1B', '1C', '2', '3', '4', '5', '6', '7', '7A', '8', '9', '9A', '9B', '9C',
                '10', '11', '12', '13', '14', '15', '16'] -%}
{% set columns = ['cik', 'company', 'filing_type', 'filing_date', 'period_of_report', 'filename'] -%}
{% for item in items %}{% do columns.append('item_' ~ item) %}{% endfor -%}
with

source_rows as (

    {{ read_corpus_files('edgar_crawler', columns, other_items=true) }}

),

items as (

    unpivot source_rows
    on columns('(?i)^item_')
    into name section_label value item_text

),

renamed as (

    select
        'edgar_crawler' as source,
        file_path,
        source_row,

        -- keys, as stated
        cik,
        section_label,

        -- the filing; where neither the end of its period nor the file's name is stated, it is of the year 90 days before it
        -- was filed: what ends in December is filed by the end of March
        company as company_name,
        case
            when regexp_matches(period_of_report, '^\d{4}') then 'period_of_report'
            when regexp_matches(filename, '_\d{4}_') then 'file_name'
            when try_cast(filing_date as date) is not null then 'filing_date'
        end as report_year_source,
        case report_year_source
            when 'period_of_report'
                then coalesce({{ fiscal_year_of('try_cast(period_of_report as date)') }}::varchar, left(period_of_report, 4))
            when 'file_name' then regexp_extract(filename, '_(\d{4})_', 1)
            else year(try_cast(filing_date as date) - 90)::varchar
        end as report_year,
        {{ form_type('filing_type') }} as form_type,
        filing_date,
        period_of_report as period_end,

        -- the text
        item_text,
    from items

)

select * from renamed
