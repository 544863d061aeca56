with

source_rows as (

    {{ read_corpus_files('companies', ['cik', 'company_name', 'ticker']) }}

),

renamed as (

    select
        {{ parse_cik('cik') }} as cik,
        nullif(trim(company_name), '') as company_name,
        nullif(trim(ticker), '') as ticker,
    from source_rows

),

-- the first statement of a company, should a table repeat it
first_statements as (

    select *
    from renamed
    where cik is not null
    qualify row_number() over (partition by cik order by company_name, ticker) = 1

)

select * from first_statements
