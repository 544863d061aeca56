-- A filing is in the corpus where one of its sentences is. Rows of tables that are written out are none of its sentences.
with

filing_versions as (

    select * from {{ ref('int_filing_versions') }}

),

sentences as (

    select * from {{ ref('fct_sentences') }}
    where sentence_kind is distinct from 'written_row'

),

sentence_counts as (

    select
        filing_id,
        count(distinct section_id) as section_count,
        count(*) as sentence_count,
        count(*) filter (where duplicate_count > 1) as duplicated_sentence_count,
    from sentences
    group by filing_id

),

final as (

    select
        filing_versions.filing_id,
        filing_versions.cik,
        coalesce(filing_versions.company_name, 'CIK ' || filing_versions.cik) as company_name,
        filing_versions.report_year,
        filing_versions.report_year_source,
        filing_versions.form_type,
        try_cast(filing_versions.filing_date as date) as filing_date,
        try_cast(filing_versions.period_end as date) as period_end,
        filing_versions.source,
        filing_versions.file_path,
        sentence_counts.section_count,
        sentence_counts.sentence_count,
        sentence_counts.duplicated_sentence_count,
    from filing_versions
    inner join sentence_counts
        on filing_versions.filing_id = sentence_counts.filing_id

)

select * from final
