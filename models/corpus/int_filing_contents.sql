-- What each file says about each filing, and a digest of it. Built file by file: only new and changed files are read.
{{
    config(
        materialized = 'incremental',
        incremental_strategy = 'append',
        pre_hook = "{% if is_incremental() %}
            delete from {{ this }} where (file_path, file_version) not in (
                select files.file_path, {{ contents_version('files') }} from {{ ref('int_loaded_files') }} as files
            )
        {% endif %}",
    )
}}

with

loaded_files as (

    select * from {{ ref('int_loaded_files') }}

),

sentence_rows as (

    select
        *,
        -- all files of a layout together hold a filing's sentences
        source as copy_id,
        length(sentence_text) as char_count,
        hash(
            sentence_id,
            section_label,
            section_code,
            sentence_pos,
            sentence_text,
            company_name,
            cik,
            report_year,
            fault
        ) as row_hash,
        hash(sentence_id) as id_hash,
    from {{ ref('int_sentence_rows') }}
    {% if is_incremental() -%}
    where {{ in_new_files() }}
    {%- endif %}

),

item_rows as (

    select
        *,
        -- what has no letter or digit is no text, here and in rejected_rows, and an item of no 10-K is none
        if(section_id is not null and {{ has_words('item_text') }}, length(item_text), 0) as char_count,
        hash(section_label, item_text, company_name, cik, report_year) as row_hash,
    from {{ ref('int_item_rows') }}
    {% if is_incremental() -%}
    where {{ in_new_files() }}
    {%- endif %}

),

source_rows as (

    select * from sentence_rows

    union all by name

    select * from item_rows

),

contents as (

    select
        filing_id,
        source,
        copy_id,
        file_path,
        -- how many rows say the same of the filing
        histogram(struct_pack(
            cik := cik,
            company_name := company_name,
            report_year := report_year,
            report_year_source := report_year_source,
            form_type := form_type,
            filing_date := filing_date,
            period_end := period_end
        )) as statements,
        count(*) as row_count,
        sum(char_count)::bigint as char_count,
        -- items with text
        list(distinct section_id order by section_id) filter (char_count > 0) as section_ids,
        md5(concat_ws('|', count(*), sum(row_hash), bit_xor(row_hash))) as content_hash,
        -- of sentences whose ids are stated; those of items are made of the filing's
        list(distinct id_hash) filter (id_hash is not null) as id_hashes,
    from source_rows
    group by filing_id, source, copy_id, file_path

),

versioned as (

    select
        -- a text that another splitter cuts is another filing
        contents.* replace (
            md5(concat_ws('|', contents.content_hash, loaded_files.splitter_version)) as content_hash
        ),
        {{ contents_version('loaded_files') }} as file_version,
    from contents
    inner join loaded_files
        on contents.file_path = loaded_files.file_path

)

select * from versioned
