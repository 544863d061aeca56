{% set items = ['1', '1A', '1B', '1C', '2', '3', '4', '5', '6', '7', '7A', '8', '9', '9A', '9B', '9C',
                '10', '11', '12', '13', '14', '15', '16'] -%}
{% set columns = ['filename', 'cik', 'year'] -%}
{% for item in items %}{% do columns.append('section_' ~ item) %}{% endfor -%}
with

source_rows as (

    {{ read_corpus_files('edgar_corpus', columns, other_items=true) }}

),

items as (

    unpivot source_rows
    on columns('(?i)^section_')
    into name section_label value item_text

),

renamed as (

    select
        'edgar_corpus' as source,
        file_path,
        source_row,

        -- keys, as stated
        cik,
        section_label,

        -- the filing; the layout names no company, and its year is the one in the file's name
        null::varchar as company_name,
        'stated' as report_year_source,
        year as report_year,
        '10-K' as form_type,
        null::varchar as filing_date,
        null::varchar as period_end,

        -- the text
        item_text,
    from items

)

select * from renamed
