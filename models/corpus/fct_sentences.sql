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
        report_year,
        section_id,
        sentence_pos,
        sentence_text,
        null::integer as page_no,
        null::varchar as section_heading,
        source,
        file_path,
        source_row,
    from {{ ref('int_sentence_rows') }}
    {{ where_unprocessed() }}

),

split_sentences as (

    select
        sentence_id,
        filing_id,
        cik,
        report_year,
        section_id,
        sentence_pos,
        sentence_text,
        page_no,
        section_heading,
        source,
    from {{ ref('int_split_sentences') }}
    {% if is_incremental() -%}
    where filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

table_rows as (

    select
        row_sentence_id as sentence_id,
        filing_id,
        cik,
        report_year,
        section_id,
        sentence_pos,
        row_text as sentence_text,
        null::integer as page_no,
        null::varchar as section_heading,
        source,
    from {{ ref('int_table_rows') }}
    where
        {{ setting('written_rows') }}
    {% if is_incremental() -%}
        and filing_id in ({{ unprocessed_filings() }})
    {%- endif %}

),

accepted_sentence_rows as (

    select
        sentence_rows.* exclude (file_path, source_row),
        false as is_written_row,
    from sentence_rows
    anti join rejected_rows
        on sentence_rows.file_path = rejected_rows.file_path
        and sentence_rows.source_row = rejected_rows.source_row

),

sentences as not materialized (

    select * from accepted_sentence_rows

    union all

    select
        *,
        false as is_written_row,
    from split_sentences

    union all

    select
        *,
        true as is_written_row,
    from table_rows

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
        normalised.* exclude (normalised_text, is_written_row, cik),
        filing_versions.cik,
        coalesce(filing_versions.company_name, 'CIK ' || filing_versions.cik) as company_name,
        md5(lower(normalised.normalised_text)) as text_hash,
        -- words are parted by spaces
        length(normalised.normalised_text) - length(replace(normalised.normalised_text, ' ', '')) + 1 as word_count,
        regexp_matches(normalised.sentence_text, '[0-9]') as has_number,
        if(normalised.is_written_row, 'written_row', {{ sentence_kind('normalised.normalised_text') }}) as sentence_kind,
    from normalised
    inner join filing_versions
        on normalised.filing_id = filing_versions.filing_id

),

-- The first words of what may open with a heading: prose with a capital after its first word or number.
opened as not materialized (

    select
        *,
        case
            when sentence_kind = 'prose' and regexp_matches(sentence_text, '^[A-Z0-9(]\S*(?: \S+){0,9}? [A-Z]')
                then
                    list_transform(
                        string_split(sentence_text, ' ')[:10],
                        lambda word: nullif(regexp_replace(lower(word), '[^a-z0-9]', '', 'g'), '')
                    )
        end as first_words,
    from measured

),

headed as not materialized (

    select
        * exclude (first_words),
        case
            when sentence_kind = 'prose' then {{ heading_prefix('sentence_text', 'first_words') }}
        end as heading_prefix,
    from opened

),

section_counts as (

    select
        filing_id,
        section_id,
        count(*) filter (where not is_written_row) as section_sentence_count,
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
        headed.sentence_id,
        headed.filing_id,
        headed.cik,
        headed.company_name,
        headed.report_year,
        headed.section_id,
        headed.sentence_pos,
        section_counts.section_sentence_count,
        headed.sentence_text,
        headed.text_hash,
        text_counts.duplicate_count,
        headed.word_count,
        headed.has_number,
        headed.source,
        headed.sentence_kind,
        -- "Johnson & Johnson was …", "Trends in Our Revenue": a heading does not stop there
        case
            when not regexp_matches(headed.heading_prefix, '(?:&|\b(?:and|or|of|in|for|the|to|a))$')
                then headed.heading_prefix
        end as heading_prefix,
        headed.page_no,
        headed.section_heading,
    from headed
    inner join section_counts
        on headed.filing_id = section_counts.filing_id
        and headed.section_id = section_counts.section_id
    inner join text_counts
        on headed.text_hash = text_counts.text_hash

)

select * from final
