-- depends_on: {{ ref('int_filing_contents') }}
-- Every sentence of every filing, once. duplicate_count is kept true by a post-hook when filings are added to a built
-- corpus, because a new filing repeats boilerplate of old ones.
with

rejected_rows as (

    select * from {{ ref('rejected_rows') }}

),

sentence_rows as (

    select
        sentence_id,
        filing_id,
        cik,
        company_name,
        report_year,
        section_id,
        sentence_pos,
        sentence_text,
        source,
        file_path,
        source_row,
    from {{ ref('int_sentence_rows') }}
    {% if is_incremental() -%}
    where
        {{ in_files_of_unprocessed_filings() }}
        and filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

split_sentences as (

    select
        sentence_id,
        filing_id,
        cik,
        company_name,
        report_year,
        section_id,
        sentence_pos,
        sentence_text,
        source,
    from {{ ref('int_split_sentences') }}
    {% if is_incremental() -%}
    where filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

accepted_sentence_rows as (

    select sentence_rows.* exclude (file_path, source_row)
    from sentence_rows
    anti join rejected_rows
        on sentence_rows.file_path = rejected_rows.file_path
        and sentence_rows.source_row = rejected_rows.source_row

),

sentences as (

    select * from accepted_sentence_rows

    union all

    select * from split_sentences

),

filing_versions as (

    select * from {{ ref('int_filing_versions') }}

),

measured as (

    select
        sentences.* exclude (company_name),
        coalesce(filing_versions.company_name, 'CIK ' || sentences.cik) as company_name,
        {{ text_hash('sentences.sentence_text') }} as text_hash,
        {{ word_count('sentences.sentence_text') }} as word_count,
        regexp_matches(sentences.sentence_text, '[0-9]') as has_number,
    from sentences
    inner join filing_versions
        on sentences.filing_id = filing_versions.filing_id

),

section_counts as (

    select
        filing_id,
        section_id,
        count(*) as section_sentence_count,
    from measured
    group by filing_id, section_id

),

text_counts as (

    select
        text_hash,
        count(*) as duplicate_count,
    from measured
    group by text_hash

),

final as (

    select
        measured.sentence_id,
        measured.filing_id,
        measured.cik,
        measured.company_name,
        measured.report_year,
        measured.section_id,
        measured.sentence_pos,
        section_counts.section_sentence_count,
        measured.sentence_text,
        measured.text_hash,
        text_counts.duplicate_count,
        measured.word_count,
        measured.has_number,
        measured.source,
    from measured
    inner join section_counts
        on measured.filing_id = section_counts.filing_id
        and measured.section_id = section_counts.section_id
    inner join text_counts
        on measured.text_hash = text_counts.text_hash

)

select * from final
