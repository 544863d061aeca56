-- A filing can arrive in several copies: in two layouts, or twice in one. One copy supplies it, whole, because two
-- copies split into sentences differently. Copies with less than half of the longest copy's text are samples and
-- yield to it; of the others the layout with the best precedence wins.
with

filing_contents as (

    select * from {{ ref('int_filing_contents') }}

),

corpus_layouts as (

    select * from {{ ref('corpus_layouts') }}

),

companies as (

    select * from {{ ref('stg_reference__companies') }}

),

copies as (

    select
        filing_id,
        source,
        copy_id,
        min(cik) as cik,
        max(company_name) as company_name,
        min(report_year) as report_year,
        min(form_type) as form_type,
        min(filing_date) as filing_date,
        min(period_end) as period_end,
        min(file_path) as file_path,
        sum(char_count) as char_count,
        string_agg(content_hash, ',' order by file_path) as content_hash,
    from filing_contents
    group by filing_id, source, copy_id

),

filings as (

    select
        filing_id,
        max(char_count) as longest_char_count,
        -- what the other copies hold decides which of their rows are rejected, so it belongs to the version
        md5(string_agg(copy_id || content_hash, ',' order by copy_id)) as filing_version,
    from copies
    group by filing_id

),

ranked_copies as (

    select
        copies.*,
        corpus_layouts.level,
        filings.filing_version,
        row_number() over (
            partition by copies.filing_id
            order by
                copies.char_count < 0.5 * filings.longest_char_count,
                corpus_layouts.precedence,
                copies.copy_id
        ) as copy_rank,
    from copies
    inner join filings
        on copies.filing_id = filings.filing_id
    inner join corpus_layouts
        on copies.source = corpus_layouts.layout

),

chosen_copies as (

    select * exclude (copy_rank, content_hash)
    from ranked_copies
    where copy_rank = 1

),

-- EDGAR-CORPUS names no company. A name from the reference table changes the filing's rows, so it is in the version.
named as (

    select
        chosen_copies.* exclude (company_name, filing_version),
        coalesce(chosen_copies.company_name, companies.company_name) as company_name,
        case
            when chosen_copies.company_name is null
                then md5(concat_ws('|', chosen_copies.filing_version, companies.company_name))
            else chosen_copies.filing_version
        end as filing_version,
    from chosen_copies
    left join companies
        on chosen_copies.cik = companies.cik

)

select * from named
