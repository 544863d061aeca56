-- depends_on: {{ ref('int_filing_contents') }}
-- depends_on: {{ ref('sentence_kind_patterns') }}
-- Every sentence of every filing, once. duplicate_count is kept true by a post-hook when filings are added to a built
-- corpus, because a new filing repeats boilerplate of old ones.
--
-- `not materialized`: the counts read the sentences a second time rather than hold all of their text in memory.
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

sentences as not materialized (

    select * from accepted_sentence_rows

    union all

    select * from split_sentences

),

filing_versions as (

    select * from {{ ref('int_filing_versions') }}

),

normalised as not materialized (

    select
        *,
        {{ single_spaced('sentence_text') }} as normalised_text,
    from sentences

),

measured as not materialized (

    select
        normalised.* exclude (company_name, normalised_text),
        coalesce(filing_versions.company_name, 'CIK ' || normalised.cik) as company_name,
        md5(lower(normalised.normalised_text)) as text_hash,
        -- words are parted by spaces
        length(normalised.normalised_text) - length(replace(normalised.normalised_text, ' ', '')) + 1 as word_count,
        regexp_matches(normalised.sentence_text, '[0-9]') as has_number,
        {{ sentence_kind('normalised.normalised_text') }} as sentence_kind,
    from normalised
    inner join filing_versions
        on normalised.filing_id = filing_versions.filing_id

),

section_counts as (

    select
        filing_id,
        section_id,
        count(*) as section_sentence_count,
    from sentences
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
        measured.sentence_kind,
    from measured
    inner join section_counts
        on measured.filing_id = section_counts.filing_id
        and measured.section_id = section_counts.section_id
    inner join text_counts
        on measured.text_hash = text_counts.text_hash

)

select * from final
