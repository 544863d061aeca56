-- depends_on: {{ ref('source_files') }}
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
        coalesce(cik, cik_int) as cik,
        -- the full tables name the item in section_item, the sampled ones in section_name
        coalesce(section_item, section_name) as section_label,
        null::integer as section_code,
        sentence_index as sentence_pos,

        -- the filing
        name as company_name,
        report_year,
        coalesce(form, '10-K') as form_type,
        filingDate as filing_date,
        reportDate as period_end,

        -- the text
        sentence as sentence_text,
    from source_rows

)

select * from renamed
