with

source_rows as (

    {{ read_corpus_files('finsights', [
        'cik', 'cik_int', 'name', 'report_year', 'docID', 'sentenceID', 'section_name', 'section_item',
        'sentence_index', 'sentence', 'form', 'filingDate', 'reportDate',
    ]) }}

),

renamed as (

    select
        'finsights' as source,
        file_path,
        source_row,

        -- keys, as stated
        docID as filing_id,
        sentenceID as sentence_id,
        -- some tables have it only as the beginning of the filing's id
        coalesce(cik, cik_int, nullif(regexp_extract(docID, '^(\d{1,10})_', 1), '')) as cik,
        -- the full tables name the item in section_item, the sampled ones in section_name
        coalesce(section_item, section_name) as section_label,
        null::integer as section_code,
        sentence_index as sentence_pos,

        -- the filing
        name as company_name,
        'stated' as report_year_source,
        report_year,
        {{ form_type('form') }} as form_type,
        filingDate as filing_date,
        reportDate as period_end,

        -- the text
        sentence as sentence_text,
    from source_rows

)

select * from renamed
