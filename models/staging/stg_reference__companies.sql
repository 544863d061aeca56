-- Names and tickers as tables of companies state them. A company has the name that the first row of it states.
with

source_rows as (

    {{ read_corpus_files('companies', ['cik', 'company_name', 'ticker']) }}

),

renamed as (

    select
        file_path,
        source_row,
        nullif(trim(cik), '') as stated_cik,
        {{ parse_cik('cik') }} as cik,
        nullif(trim(company_name), '') as company_name,
        nullif(trim(ticker), '') as ticker,
    from source_rows

),

placed as (

    select
        *,
        row_number() over (
            partition by cik, company_name is null
            order by file_path, source_row
        ) as occurrence,
    from renamed

),

judged as (

    select
        * exclude (occurrence),
        case
            when cik is null then 'missing_cik'
            when company_name is null then 'no_name'
            when occurrence > 1 then 'duplicate_id'
        end as reason,
        case reason
            when 'missing_cik' then 'expected a number of up to ten digits, got ' || coalesce(left(stated_cik, 100), 'none')
            when 'no_name' then if(ticker is null, 'no company_name', 'no company_name: only its ticker is used')
            when 'duplicate_id' then 'an earlier row names this company'
        end as detail,
    from placed

)

select * from judged
