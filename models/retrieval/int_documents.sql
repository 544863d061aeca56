-- Documents that chunks are cut from (retrieval.int_placed_sentences), with what tells whose they are.
with

placed_sentences as (

    select * from {{ ref('int_placed_sentences') }}

),

filings as (

    select * from {{ ref('dim_filings') }}

),

companies as (

    select * from {{ ref('dim_companies') }}

),

sections as (

    select * from {{ ref('sections') }}

),

sizes as (

    select
        document,
        any_value(filing_id) as filing_id,
        any_value(section_id) as section_id,
        max(start_at + size)::bigint as size,
    from placed_sentences
    group by document

),

final as (

    select
        sizes.document,
        sizes.filing_id,
        filings.cik,
        filings.report_year,
        sizes.section_id,
        sizes.size,
        -- of a whole document: its headings are parts of the text
        {{ entity_tag(
            'companies.company_name', 'filings.report_year', 'sections.item_label', 'sizes.section_id', 'null'
        ) }} as entity_tag,
    from sizes
    inner join filings
        on sizes.filing_id = filings.filing_id
    inner join companies
        on filings.cik = companies.cik
    left join sections
        on sizes.section_id = sections.section_id

)

select * from final
