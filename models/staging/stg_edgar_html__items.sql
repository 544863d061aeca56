with

parts as (

    select * from {{ ref('stg_edgar_html__parts') }}

),

renamed as (

    select
        'edgar_html' as source,
        file_path,
        1 as source_row,

        -- keys, as stated
        cik,
        section_label,

        -- the filing; a fiscal year is named by the year in which it ends
        company_name,
        report_year_source,
        report_year,
        form_type,
        null::varchar as filing_date,
        period_end,

        -- the text, or why there is none
        item_text,
        fault,
    from parts

)

select * from renamed
