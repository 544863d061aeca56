with

source_rows as (

    {{ read_corpus_files('hf_financial_reports', [
        'cik', 'name', 'docID', 'sentenceID', 'section', 'sentence', 'form', 'filingDate', 'reportDate',
    ]) }}

),

renamed as (

    select
        'hf_financial_reports' as source,
        file_path,
        source_row,

        -- keys, as stated; the sentence id ends in item and position, and its item is plainer than the code
        docID as filing_id,
        sentenceID as sentence_id,
        cik,
        nullif(regexp_extract(sentenceID, '_section_(\w+)_\d+$', 1), '') as section_label,
        {{ whole_number('section', 'integer') }} as section_code,
        null::varchar as sentence_pos,

        -- the filing; the layout states its year only in the filing's id
        name as company_name,
        'filing_id' as report_year_source,
        regexp_extract(docID, '_(\d{4})$', 1) as report_year,
        {{ form_type('form') }} as form_type,
        filingDate as filing_date,
        reportDate as period_end,

        -- the text
        sentence as sentence_text,
    from source_rows

)

select * from renamed
