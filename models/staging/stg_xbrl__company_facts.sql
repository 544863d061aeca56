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
        file_path,
        source_row,
        year as stated_year,
        value as stated_value,
    from source_rows

),

judged as (

    select
        * exclude (stated_year, stated_value),
        case
            when cik is null then 'missing_cik'
            when fiscal_year is null then 'unparsable_year'
            when metric_key is null then 'no_metric'
            when value is null or not isfinite(value) then 'bad_value'
        end as reason,
        case reason
            when 'missing_cik' then 'expected a number of up to ten digits'
            when 'unparsable_year' then 'expected a year from 1980 to 2100, got ' || coalesce(left(stated_year, 100), 'none')
            when 'no_metric' then 'no metric_key'
            when 'bad_value' then 'expected a number, got ' || coalesce(left(stated_value, 100), 'none')
        end as detail,
    from renamed

)

select * from judged
