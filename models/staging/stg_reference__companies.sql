-- Names and tickers as tables of companies state them. A company has the name that the first row of it states. Further
-- rows of the same name, as of another class of its shares, are left out: they are no fault and state nothing more.
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
        row_number() over of_company as occurrence,
        first_value(company_name) over of_company as first_name,
    from renamed
    window of_company as (
        partition by cik, company_name is null
        order by file_path, source_row
    )

),

judged as (

    select
        * exclude (occurrence, first_name),
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
    where occurrence = 1 or cik is null or company_name is null or company_name != first_name

)

select * from judged
