-- The rows of every sentence-level source in one shape: typed, with canonical section and complete ids. What cannot be
-- read of any file stands among them, with its fault and nothing else, until it is rejected.
with

finsights_sentences as (

    select * from {{ ref('stg_finsights__sentences') }}

),

hf_sentences as (

    select * from {{ ref('stg_hf_financial_reports__sentences') }}

),

source_files as (

    select * from {{ ref('source_files') }}

),

numbered_unreadable_rows as (

    select
        layout as source,
        file_path,
        unreadable_rows,
        unnest(json_keys(unreadable_rows)) as row_number,
    from source_files
    where
        status = 'loaded'
        and unreadable_rows is not null

),

-- Rows of files that are loaded without them, in the order of the file.
unreadable_rows as (

    select
        source,
        file_path,
        row_number::bigint as source_row,
        json_extract_string(unreadable_rows, '$."' || row_number || '"') as fault,
    from numbered_unreadable_rows

),

sections as (

    select * from {{ ref('sections') }}

),

source_rows as (

    select
        *,
        null::varchar as fault,
    from finsights_sentences

    union all

    select
        *,
        null::varchar as fault,
    from hf_sentences

    union all by name

    select * from unreadable_rows

),

typed as (

    select
        source_rows.* exclude (filing_id, cik, report_year, sentence_pos),
        source_rows.filing_id as stated_filing_id,
        {{ parse_cik('source_rows.cik') }} as cik,
        {{ parse_report_year('source_rows.report_year') }} as report_year,
        -- that of the id where none is stated; a stated one that cannot be read is no reason to guess
        case
            when coalesce(lower(trim(source_rows.sentence_pos)), '') in ('', 'nan')
                then try_cast(regexp_extract(source_rows.sentence_id, '_(\d+)$', 1) as integer)
            else {{ whole_number('source_rows.sentence_pos', 'integer') }}
        end as sentence_pos,
        coalesce(
            named_sections.item_label,
            nullif({{ item_label('source_rows.section_label') }}, ''),
            coded_sections.item_label
        ) as item_label,
    from source_rows
    left join sections as named_sections
        on upper(source_rows.section_label) = named_sections.section_id
    left join sections as coded_sections
        on source_rows.section_code = coded_sections.section_code

),

identified as (

    select
        typed.* exclude (stated_filing_id, item_label, sentence_id, sentence_text),
        sections.section_id,
        coalesce(
            nullif(trim(stated_filing_id), ''),
            {{ filing_id('cik', 'form_type', 'report_year') }},
            -- kept together by file until the row is rejected
            'unidentified:' || file_path
        ) as filing_id,
        coalesce(
            nullif(trim(sentence_id), ''),
            {{ filing_id('cik', 'form_type', 'report_year') }} || '_section_' || typed.item_label || '_' || sentence_pos
        ) as sentence_id,
        -- patterns expect plain spaces, where filings have tabs, line breaks and hard spaces
        trim(translate(sentence_text, e'\t\r\n' || chr(160), '    ')) as sentence_text,
    from typed
    left join sections
        on typed.item_label = sections.item_label

)

select * from identified
