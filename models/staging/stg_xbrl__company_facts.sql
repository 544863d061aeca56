with

source_rows as (

    {{ read_corpus_files('company_facts', [
        'cik', 'ticker', 'year', 'metric_key', 'metric_label', 'value', 'unit', 'form', 'filed_date', 'accession_no',
    ]) }}

),

renamed as (

    select
        {{ parse_cik('cik') }} as cik,
        ticker,
        {{ parse_report_year('year') }} as fiscal_year,
        metric_key,
        metric_label,
        try_cast(value as double) as value,
        unit,
        form,
        try_cast(filed_date as date) as filed_date,
        accession_no,
    from source_rows

)

select * from renamed
