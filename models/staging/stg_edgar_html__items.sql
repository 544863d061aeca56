with

filings as (

    select * from {{ ref('stg_edgar_html__filings') }}

),

items as (

    select
        file_path,
        file_version,

        -- the filing, as its cover or the file's name says
        cik,
        company_name,
        form_type,
        period_end,
        report_year,
        report_year_source,

        unnest(items, recursive := true),
    from filings

)

select * from items
